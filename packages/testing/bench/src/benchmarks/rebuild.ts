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
import type { BareRebuild } from './rebuild/bare-process.ts';
import { BareTables } from './rebuild/bare-tables.ts';
import { BareWriter } from './rebuild/bare-writer.ts';
import type { RebuildInput, RebuildTimes } from './rebuild/rebuild-process.ts';
import { timed } from './rebuild/timed.ts';
import type { ElapsedTimes } from './rebuild/timed.ts';
import { fillJournal } from '../fixtures/journal.ts';

/**
 * Measures a rebuild of a journal of 1,000,000 events, as `npm run rebuild` does it, beside two programs that leave the
 * same rows; all with the keys, indexes and statistics that readers need.
 *
 * The bare program does in plain code what any rebuild has to: it reads, decodes and folds each event, and copies each row
 * once. It knows the events of this journal only, checks nothing, and could not continue where it was cut off. Its rows
 * are compared with those of the rebuild in every round.
 *
 * The writer decodes and folds nothing: it has the bytes of every table's COPY in memory, so its rate is an upper bound
 * for any program that has to make the rows. Ratios of wall-clock time are shown beside those of CPU time, of the program
 * and all of Postgres; on a machine with other work only the latter are meaningful.
 *
 * Then it measures readers of a whole service alone, and beside a throttled rebuild, which is killed; and at last a
 * rebuild that continues that one. Options: number of events (default 1,000,000), rounds (default 3). Takes ten
 * minutes on two idle cores.
 */
const EVENTS = Number(process.argv[2] ?? 1_000_000);
const ACCOUNTS = EVENTS / 50;
const MARKETS = 1_000;
const ROUNDS = Number(process.argv[3] ?? 3);
const BAR = 0.8;
const READERS = 4;
/** The time for reads. It is shorter for small journals, whose rebuild would end earlier. */
const READ_MS = Math.min(20_000, EVENTS / 10);
const READ_BAR = 2;
/** Events that the writer reads at once; it writes their rows in one transaction. */
const WRITER_PAGE = 20_000;
/** The young generation of `npm run rebuild`. */
const NODE_OPTIONS = ['--max-semi-space-size=64'];

/** Runs a rebuild in a separate process. */
function rebuilt(connectionString: string): Promise<RebuildTimes> {
  const program = path.join(import.meta.dirname, 'rebuild/rebuild-process.ts');
  const input: RebuildInput = { connectionString, postmaster: postgres.pid };
  return runInChildProcess(program, input, NODE_OPTIONS);
}

/** Runs the bare program in a separate process. @throws Error where its rows are not those of the rebuild. */
function bareRebuildTimes(connectionString: string, model: string): Promise<ElapsedTimes> {
  const program = path.join(import.meta.dirname, 'rebuild/bare-process.ts');
  const input: BareRebuild = { connectionString, model, postmaster: postgres.pid };
  return runInChildProcess(program, input, NODE_OPTIONS);
}

/** The ratios of a rebuild to another program, for one round. */
interface Ratios {
  readonly all: number;
  readonly fill: number;
  readonly processor: number;
}

function ratiosOf(own: ElapsedTimes, other: ElapsedTimes): Ratios {
  return {
    all: other.allMs / own.allMs,
    fill: other.fillMs / own.fillMs,
    processor: other.processorMs / own.processorMs,
  };
}

/** Runs the programs in turns, and prints the rounds and the bar. */
async function besideOthers(journal: Journal, connectionString: string): Promise<void> {
  let loaded: BareWriter | null = null;
  const besideBare: Ratios[] = [];
  const besideWriter: Ratios[] = [];
  const row = printTable(
    ['round', 'beside'],
    ['rebuild, events/s', 'that program, events/s', 'ratio', 'filling alone, ratio', 'processor time, ratio'],
  );
  for (let round = 1; round <= ROUNDS; round += 1) {
    const own = await rebuilt(connectionString);
    const model = own.schema;
    const bare = await bareRebuildTimes(connectionString, model);
    const tables = await BareTables.open(connectionString, model, rebuilding.TABLES_AT_ONCE);
    const writer = (loaded ??= await BareWriter.load(tables, model));
    await tables.create();
    const ceiling = await timed(postgres.pid, (filled) => writer.run(tables, journal, WRITER_PAGE, filled));
    await tables.drop();
    await tables.close();
    for (const [name, other, ratios] of [
      ['bare program', bare, besideBare],
      ['writer', ceiling, besideWriter],
    ] as const) {
      const ratio = ratiosOf(own, other);
      ratios.push(ratio);
      const rates = [own, other].map(({ allMs }) => figure((1000 * EVENTS) / allMs));
      row(round, name, ...rates, ...[ratio.all, ratio.fill, ratio.processor].map((one) => percent(one)));
    }
  }
  const medianOf = (ratios: readonly Ratios[], what: keyof Ratios): number =>
    median(ratios.map((ratio) => ratio[what]));
  console.log('');
  const value = medianOf(besideBare, 'all');
  printBar('rebuild / bare program, median', value, { atLeast: BAR }, percent);
  for (const [name, ratios] of [
    ['bare program', besideBare],
    ['writer', besideWriter],
  ] as const) {
    const [all, fill, processor] = (['all', 'fill', 'processor'] as const).map((what) => medianOf(ratios, what));
    console.log(
      `rebuild / ${name}: ${percent(all ?? NaN)}, filling alone ${percent(fill ?? NaN)}, by processor time ${percent(processor ?? NaN)}`,
    );
  }
  console.log('');
}

/** Measures readers of the service during a throttled rebuild and without one. */
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
  console.error(`making a journal of ${figure(EVENTS)} events …`);
  await fillJournal(journal, { accounts: ACCOUNTS, events: EVENTS, markets: MARKETS });
  await settle(connectionString);
  console.log(
    `${figure(EVENTS)} events, ${figure(ACCOUNTS)} accounts, ${figure(MARKETS)} markets; node ${process.version}\n` +
      `All write on one connection, and make keys and indexes on ${rebuilding.TABLES_AT_ONCE}\n`,
  );
  await besideOthers(journal, connectionString);
  await besideReaders(connectionString, postgres.serviceDir);
  const { resumedAt, seq } = await rebuilding.rebuild({ connectionString, journal });
  console.log(
    `\nThe throttled rebuild was killed; the next one went on with event ${figure(resumedAt + 1)} of ${figure(seq)}.`,
  );
  await journal.close();
} finally {
  await postgres.stop();
}
