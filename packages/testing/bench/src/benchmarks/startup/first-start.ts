import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createPostgresJournal } from '@paper/journal';
import { rebuilding } from '@paper/read-models';
import { withClient } from '@paper/runtime';
import { startStandalone } from '@paper/testkit/exchange';
import {
  figure,
  medianBy,
  megabytes,
  printBar,
  printTable,
  runInChildProcess,
  seconds,
  startPostgres,
  times,
} from '../../index.ts';
import { fillJournal } from '../../fixtures/journal.ts';
import type { RebuildInput, RebuildTimes } from '../rebuild/rebuild-process.ts';

const MARKETS = 1_000;
const EVENTS_PER_ACCOUNT = 50;
const FILL_BAR = 1.3;
const START_BAR = 2;
const MEMORY_BAR = 500e6;
/** The journal size from which the bars hold: the events then decide, not the load of the program. */
const BARS_FROM = 1_000_000;
/** The young generation of `npm run rebuild`. */
const REBUILD_OPTIONS = ['--max-semi-space-size=64'];

interface Compared {
  readonly rebuildMs: number;
  readonly fillMs: number;
  readonly readyMs: number;
  readonly peakBytes: number;
}

/** Measures first starts on a journal of each of these sizes, and prints a row and the bars of each. */
export async function compareFirstStarts(sizes: readonly number[], rounds: number): Promise<void> {
  console.log('\nThe first start of `npm start` on a journal in Postgres, with empty read models and no snapshot:\n');
  const row = printTable(
    ['events'],
    ['npm run rebuild', 'first fill', 'of the rebuild', 'start in all', 'of the rebuild', 'peak RSS'],
  );
  const all: (readonly [number, Compared])[] = [];
  for (const events of sizes) {
    const compared = await compare(events, rounds);
    const { rebuildMs, fillMs, readyMs, peakBytes } = compared;
    const ofRebuild = [fillMs, readyMs].flatMap((ms) => [seconds(ms), times(ms / rebuildMs)]);
    row(figure(events), seconds(rebuildMs), ...ofRebuild, megabytes(peakBytes));
    all.push([events, compared]);
  }
  console.log('');
  for (const [events, { rebuildMs, fillMs, readyMs, peakBytes }] of all.filter(([size]) => size >= BARS_FROM)) {
    const at = `at ${figure(events)} events`;
    printBar(`first fill / rebuild, ${at}`, fillMs / rebuildMs, { atMost: FILL_BAR }, times);
    printBar(`first start in all / rebuild, ${at}`, readyMs / rebuildMs, { atMost: START_BAR }, times);
    printBar(`peak RSS of the first start, ${at}`, peakBytes, { atMost: MEMORY_BAR }, megabytes);
  }
}

/** The round with the median ratio of its start. */
async function compare(events: number, rounds: number): Promise<Compared> {
  const postgres = await startPostgres();
  try {
    const { connectionString } = postgres;
    const journal = await createPostgresJournal({ connectionString });
    await fillJournal(journal, { accounts: events / EVENTS_PER_ACCOUNT, events, markets: MARKETS });
    await journal.close();
    const program = path.join(import.meta.dirname, '../rebuild/rebuild-process.ts');
    const input: RebuildInput = { connectionString, postmaster: postgres.pid };
    const measured: Compared[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      console.error(`${figure(events)} events, round ${round} of ${rounds} …`);
      await dropReadModels(connectionString);
      const start = await startFirst(connectionString, postgres.serviceDir);
      const { allMs } = await runInChildProcess<RebuildTimes>(program, input, REBUILD_OPTIONS);
      measured.push({ ...start, rebuildMs: allMs });
    }
    return medianBy(measured, ({ readyMs, rebuildMs }) => readyMs / rebuildMs);
  } finally {
    await postgres.stop();
  }
}

async function startFirst(connectionString: string, dataDir: string): Promise<Omit<Compared, 'rebuildMs'>> {
  // The wall clock is accepted unchecked, since the generated journal has its own times.
  const env = { DATABASE_URL: connectionString, LOG_LEVEL: 'info', SNAPSHOT_EVERY: '0', ACCEPT_CLOCK: 'on' };
  const begunMs = performance.now();
  const service = await startStandalone({ dataDir, env });
  const readyMs = performance.now() - begunMs;
  const peakBytes = peakMemory(service.child.pid ?? 0);
  const log = service.output();
  await service.stop();
  const fillMs =
    loggedAt(log, 'projector: following the journal') - loggedAt(log, 'projector: filling the read models');
  return { readyMs, fillMs, peakBytes };
}

/** The time at which a line with this message was first logged. */
function loggedAt(log: string, message: string): number {
  const line = log.split('\n').find((one) => one.includes(`"msg":"${message}"`));
  if (line === undefined) throw new Error(`"${message}" was not logged:\n${log}`);
  return Date.parse((JSON.parse(line) as { readonly time: string }).time);
}

function peakMemory(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return 1024 * Number(kilobytes);
}

/** Drops the read models, as if they had never existed: a rebuild would leave the former ones. */
async function dropReadModels(connectionString: string): Promise<void> {
  const { schemas } = await rebuilding.rebuildStatus(connectionString);
  await withClient({ connectionString }, async (client) => {
    for (const { schema } of schemas) await client.query(`drop schema "${schema}" cascade`);
    await client.query('drop schema read_models cascade');
  });
}
