import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createPostgresJournal } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { rebuilding } from '@paper/read-models';
import { startStandalone } from '@paper/testkit/exchange';
import { withClient } from '@paper/runtime';
import {
  runInChildProcess,
  closedLoop,
  figure,
  httpRequest,
  median,
  percent,
  printBar,
  printTable,
  quantile,
  startPostgres,
  times,
} from '../index.ts';
import type { Load } from '../index.ts';
import { marketId } from '../fixtures/read-model-rows.ts';
import { BareTables } from './rebuild/bare-tables.ts';
import { BareWriter } from './rebuild/bare-writer.ts';
import type { RebuildInput, RebuildTimes } from './rebuild/rebuild-process.ts';
import { timeFill } from './rebuild/time-fill.ts';
import { fillJournal } from '../fixtures/journal.ts';

/**
 * Measures a rebuild, as `npm run rebuild` does it, beside a writer that only writes the same rows from memory, with
 * their keys, indexes and statistics: an upper bound for any program that makes the rows. On a machine with other work
 * only the ratios of CPU time, of the program and all of Postgres, are meaningful. Then it measures readers alone and
 * beside a throttled rebuild, which is killed, and a rebuild that continues it. Options: number of events (default
 * 1,000,000), rounds (default 3). Takes ten minutes on two idle cores.
 */
const EVENTS = Number(process.argv[2] ?? 1_000_000);
const ACCOUNTS = EVENTS / 50;
const MARKETS = 1_000;
const ROUNDS = Number(process.argv[3] ?? 3);
const BAR = 0.4;
const READERS = 4;
/** How long readers are measured: shorter for small journals, since their rebuild ends earlier. */
const READ_MS = Math.min(20_000, EVENTS / 10);
const READ_BAR = 2;
/** The number of events whose rows the writer writes in one transaction. */
const WRITER_PAGE = 20_000;
/** The young generation of `npm run rebuild`. */
const NODE_OPTIONS = ['--max-semi-space-size=64'];

function rebuilt(connectionString: string): Promise<RebuildTimes> {
  const program = path.join(import.meta.dirname, 'rebuild/rebuild-process.ts');
  const input: RebuildInput = { connectionString, postmaster: postgres.pid };
  return runInChildProcess(program, input, NODE_OPTIONS);
}

async function besideWriter(journal: Journal, connectionString: string): Promise<void> {
  let loaded: BareWriter | null = null;
  const ratios: number[] = [];
  const row = printTable(
    ['round'],
    ['rebuild, events/s', 'writer, events/s', 'ratio', 'filling alone, ratio', 'processor time, ratio'],
  );
  for (let round = 1; round <= ROUNDS; round += 1) {
    const own = await rebuilt(connectionString);
    const model = own.schema;
    const tables = await BareTables.open(connectionString, model, rebuilding.TABLES_AT_ONCE);
    const writer = (loaded ??= await BareWriter.load(tables, model));
    await tables.create();
    const ceiling = await timeFill(postgres.pid, (filled) => writer.run(tables, journal, WRITER_PAGE, filled));
    await tables.drop();
    await tables.close();
    ratios.push(ceiling.allMs / own.allMs);
    const rates = [own, ceiling].map(({ allMs }) => figure((1000 * EVENTS) / allMs));
    const shares = (['allMs', 'fillMs', 'processorMs'] as const).map((what) => percent(ceiling[what] / own[what]));
    row(round, ...rates, ...shares);
  }
  console.log('');
  printBar('rebuild / writer, median', median(ratios), { atLeast: BAR }, percent);
  console.log('');
}

async function besideReaders(connectionString: string, dataDir: string): Promise<void> {
  const service = await startStandalone({ dataDir, env: { DATABASE_URL: connectionString } });
  try {
    const port = Number(new URL(service.baseUrl).port);
    const paths = Array.from({ length: 50 }, (_, n) => marketId(n)).flatMap((id) => [
      `/api/markets/${id}`,
      `/api/orderbook/${id}`,
      `/api/markets/${id}/events`,
    ]);
    const read = (ms: number): Promise<Load> =>
      closedLoop({ port, clients: READERS, ms }, async (connection, n) => {
        const url = paths[n % paths.length] ?? '/';
        const { status, head } = await connection.send(httpRequest('GET', url));
        if (status !== 200) throw new Error(`${url}: ${head}`);
      });
    await read(READ_MS / 4);
    const alone = await read(READ_MS);
    const script = path.resolve(import.meta.dirname, '../../../../operations/operator-cli/src/programs/rebuild.ts');
    const env = { ...process.env, DATABASE_URL: connectionString };
    const child = spawn(process.execPath, ['--import', 'tsx', script, '--throttle'], { env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    const beside = await read(READ_MS);
    if (child.exitCode !== null) throw new Error('the throttled rebuild ended before it was measured');
    child.kill('SIGKILL');
    await ended;
    const again = await read(READ_MS);
    const row = printTable(['readers'], ['reads/s', 'median, ms', 'p99, ms']);
    for (const [name, { latenciesMs, perSecond }] of [
      ['alone', alone],
      ['beside a throttled rebuild', beside],
      ['alone again', again],
    ] as const) {
      row(name, figure(perSecond), ...[0.5, 0.99].map((at) => figure(quantile(latenciesMs, at), 2)));
    }
    const usual = quantile([...alone.latenciesMs, ...again.latenciesMs], 0.99);
    console.log('');
    printBar('p99 beside / alone', quantile(beside.latenciesMs, 0.99) / usual, { atMost: READ_BAR }, times);
  } finally {
    await service.stop();
  }
}

/** Waits until Postgres has finished the background work that many inserts cause. */
async function settle(connectionString: string): Promise<void> {
  await withClient({ connectionString }, async (client) => {
    await client.query('vacuum (freeze, analyze) journal.events');
    await client.query('checkpoint');
  });
}

const postgres = await startPostgres();
try {
  const { connectionString } = postgres;
  const journal = await createPostgresJournal({ connectionString });
  await fillJournal(journal, { accounts: ACCOUNTS, events: EVENTS, markets: MARKETS });
  await settle(connectionString);
  console.log(
    `${figure(EVENTS)} events, ${figure(ACCOUNTS)} accounts, ${figure(MARKETS)} markets; node ${process.version}\n` +
      `All write on one connection, and make keys and indexes on ${rebuilding.TABLES_AT_ONCE}\n`,
  );
  await besideWriter(journal, connectionString);
  await besideReaders(connectionString, postgres.serviceDir);
  const { resumedAt, seq } = await rebuilding.rebuild({ connectionString, journal });
  console.log(
    `\nThe throttled rebuild was killed; the next one went on with event ${figure(resumedAt + 1)} of ${figure(seq)}.`,
  );
  await journal.close();
} finally {
  await postgres.stop();
}
