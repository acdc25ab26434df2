import { monitorEventLoopDelay } from 'node:perf_hooks';
import { queries } from '@paper/read-models';
import { nextPagePath, sendApiRequest } from 'paper-trading-client';
import type { ApiResponse } from 'paper-trading-client';
import { figure, milliseconds, printBar } from '../index.ts';
import { startQueryServer } from '../fixtures/query-server.ts';
import { fillAccounts, fillMarkets, marketId } from '../fixtures/read-model-rows.ts';
import { timeAnswers, timeFirstAnswer, measureChanges, summarize } from '../fixtures/answers.ts';

/** Measures GET /api/leaderboard with 100,000 accounts: a ranking, an answer, and the delay of a new price. */
const ACCOUNTS = 100_000;
const MARKETS = 1_000;
const HELD_EACH = 10;
const RANKINGS = 10;
const RANKED = 1_000;
/** The longest time that concurrent reads may wait. */
const HELD_MS = 20;
const ANSWERS = 500;
const CHANGES = 20;

const server = await startQueryServer(async (db) => {
  await fillMarkets(db, MARKETS);
  await fillAccounts(db, ACCOUNTS, MARKETS, HELD_EACH);
});
try {
  await timeFirstAnswer(server, '/api/leaderboard');
  const times: number[] = [];
  for (let n = 0; n < RANKINGS; n += 1) {
    const begunMs = performance.now();
    await server.readModels.read(({ db }) => queries.rankAccounts(db, RANKED));
    times.push(performance.now() - begunMs);
  }
  console.log(`ranking, first ${figure(RANKED)}: ${summarize(times)}`);
  for (const path of ['/api/leaderboard', '/api/leaderboard?limit=500']) {
    const { ms, bytes } = await timeAnswers(server, path, 'gzip', ANSWERS);
    console.log(`GET ${path} ${figure(bytes / 1e3, 1)} KB: ${summarize(ms)}`);
  }
  const held = monitorEventLoopDelay({ resolution: 1 });
  held.enable();
  const { ms, ranked } = await allPages();
  held.disable();
  console.log(`its ${ms.length} pages of 500, one after the other, rank ${figure(ranked)}: ${summarize(ms)}`);
  printBar('event loop held up by them', held.max / 1e6, { atMost: HELD_MS }, milliseconds);
  const changes = Array.from({ length: CHANGES }, (_, n) => marketId(n * 31));
  await measureChanges(server, '/api/leaderboard', changes);
} finally {
  await server.stop();
}

/** The time of each page, and the number of ranked accounts on all pages. */
async function allPages(): Promise<{ readonly ms: readonly number[]; readonly ranked: number }> {
  const ms: number[] = [];
  let ranked = 0;
  for (let path: string | null = '/api/leaderboard?limit=500'; path !== null;) {
    const begunMs = performance.now();
    const answer: ApiResponse = await sendApiRequest(server.url, { method: 'GET', path });
    ms.push(performance.now() - begunMs);
    ranked += (answer.body as readonly unknown[]).length;
    path = nextPagePath(answer);
  }
  return { ms, ranked };
}
