import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { readApi } from './api.ts';
import { preparePrincipals } from './principals.ts';
import { Client, FINDINGS_MAX } from './client.ts';
import { linkedPath } from './collect-ids.ts';
import { makeRequest } from './make.ts';
import { Memory } from './memory.ts';
import { Pool } from './pool.ts';
import { requestOf } from './request.ts';
import type { FuzzRequest } from './request.ts';
import { Values } from './values.ts';

export interface FuzzOptions {
  readonly count: number;
  readonly seed: number;
  /** The service's secret, to forge cursors with a valid signature. */
  readonly cursorSecret: Buffer;
  readonly onProgress: (sent: number) => void;
}

/** The number of commands that are sent one by one before a group of reads is sent together. */
const COMMANDS = 8;
const READS = 12;

/**
 * Sends `count` requests that follow from the seed. Commands are sent one by one, so that each answer can be compared
 * with the journal; reads together, once the read models contain them. So the same seed gets the same answers.
 */
export async function fuzz(
  service: Pick<RunningStandalone, 'baseUrl' | 'metricsUrl' | 'operatorToken'>,
  { count, cursorSecret, onProgress, seed }: FuzzOptions,
) {
  const api = await readApi(service.baseUrl);
  const pool = new Pool();
  const client = new Client(service.baseUrl, api, pool);
  const memory = new Memory(service.metricsUrl);
  const principals = await preparePrincipals(client, api, service.operatorToken);
  await rankingKnown(service.baseUrl, pool);
  const context = { api, principals, cursorSecret, pool, values: new Values(api, pool) };
  const makeAt = (index: number): FuzzRequest =>
    makeRequest(seed, index, index % (COMMANDS + READS) < COMMANDS, context);
  const barrierDraft = { operation: api.operation('getPositions'), path: '/api/positions', key: principals.primary };
  const barrier = requestOf(barrierDraft, 'after the commands', { statuses: [200] });

  for (let next = 0; next < count && client.findings.length < FINDINGS_MAX;) {
    const commandsEnd = Math.min(count, next + COMMANDS);
    for (; next < commandsEnd; next += 1) {
      const request = makeAt(next);
      const asked = await client.ask(request, next);
      if (asked !== null) client.learn(request, asked, next);
    }
    await client.ask(barrier, next);
    const readsEnd = Math.min(count, next + READS);
    const requests = Array.from({ length: readsEnd - next }, (_, at) => makeAt(next + at));
    const answers = await Promise.all(requests.map((request, at) => client.ask(request, next + at)));
    for (const [at, asked] of answers.entries()) {
      const request = requests[at];
      if (asked !== null && request !== undefined) client.learn(request, asked, next + at);
    }
    next = readsEnd;
    await memory.look(next);
    onProgress(next);
  }
  return { api, client, memory, context };
}

/** Waits for the first leaderboard: otherwise its further pages would depend on timing. */
async function rankingKnown(baseUrl: string, pool: Pool): Promise<void> {
  for (;;) {
    const answer = await fetch(`${baseUrl}/api/leaderboard?limit=1`);
    await answer.arrayBuffer();
    const path = linkedPath(answer.headers);
    if (path !== null) {
      pool.pages('getLeaderboard').add({ path, key: null });
      return;
    }
    await sleep(100);
  }
}
