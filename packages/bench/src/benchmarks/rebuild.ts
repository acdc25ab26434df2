import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import { createPostgresJournal, type Journal } from '@paper/journal';
import { rebuilding } from '@paper/read-models';
import { startStandalone } from '@paper/testkit';
import { withClient } from '@paper/service-kit';
import { askAside } from '../harness/ask-aside.ts';
import { BareWriter } from './rebuild/bare-writer.ts';
import { answerTimes, quantile } from './rebuild/readers.ts';
import type { RebuildAsked, RebuildTook } from './rebuild/rebuild-process.ts';
import { timed } from './rebuild/timed.ts';
import { fillJournal } from './startup/journal.ts';

/**
 * Measures a rebuild of a journal of 1,000,000 events, as `npm run rebuild` does it, beside a bare program that reads
 * the same pages of the journal and writes the same final rows once; both with the keys, indexes and statistics that
 * readers need.
 *
 * The bare program decodes and folds nothing: it has the bytes of every table's COPY in memory, copies them into tables
 * without keys, and then makes keys, indexes and statistics on as many connections as a rebuild. So its rate is an
 * upper bound for any program that has to make the rows. Ratios of wall-clock time are shown beside those of CPU time,
 * of the program and all of Postgres; on a machine with other work only the latter are meaningful.
 *
 * Then it measures readers of a whole service alone, and beside a throttled rebuild, which is killed; and at last a
 * rebuild that continues that one. Options: number of events (default 1,000,000), rounds (default 3). Takes seven
 * minutes on two idle cores.
 */
const EVENTS = Number(process.argv[2] ?? 1_000_000);
const ACCOUNTS = EVENTS / 50;
const MARKETS = 1_000;
const ROUNDS = Number(process.argv[3] ?? 3);
const BAR = 0.6;
const READERS = 4;
/** The time for reads. It is shorter for small journals, whose rebuild would end earlier. */
const READ_MS = Math.min(20_000, EVENTS / 10);
const READ_BAR = 2;
/** Events that the bare program reads at once; it writes their rows in one transaction. */
const BARE_PAGE = 20_000;

const count = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Runs a rebuild in a process of its own with a young generation as large as in `npm run rebuild`. */
function rebuilt(connectionString: string): Promise<RebuildTook> {
  const program = path.join(import.meta.dirname, 'rebuild/rebuild-process.ts');
  const asked: RebuildAsked = { connectionString, postmaster: postgres.pid };
  return askAside(program, asked, ['--max-semi-space-size=64']);
}

/** Runs both programs in turns, prints the rounds, and returns whether the required ratio was met. */
async function besideCeiling(journal: Journal, connectionString: string): Promise<boolean> {
  let bare: BareWriter | null = null;
  const ratios: { all: number; fill: number; processor: number }[] = [];
  console.log('| round | rebuild, events/s | bare, events/s | ratio | filling alone, ratio | processor time, ratio |');
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: |');
  for (let round = 1; round <= ROUNDS; round += 1) {
    const own = await rebuilt(connectionString);
    const model = own.schema;
    const writer = (bare ??= await BareWriter.open(connectionString, model, rebuilding.TABLES_AT_ONCE));
    await writer.createTables(model);
    const ceiling = await timed(postgres.pid, (filled) => writer.write(journal, BARE_PAGE, model, filled));
    await writer.dropTables();
    const ratio = {
      all: ceiling.allMs / own.allMs,
      fill: ceiling.fillMs / own.fillMs,
      processor: ceiling.processorMs / own.processorMs,
    };
    ratios.push(ratio);
    const rates = [own, ceiling].map(({ allMs }) => count((1000 * EVENTS) / allMs));
    console.log(`| ${[round, ...rates, ...Object.values(ratio).map(percent)].join(' | ')} |`);
  }
  await bare?.close();
  const [all, fill, processor] = (['all', 'fill', 'processor'] as const).map((what) =>
    median(ratios.map((ratio) => ratio[what])),
  );
  const isMet = (all ?? 0) >= BAR;
  console.log(
    `\nmedian ${percent(all ?? 0)} of the bare program (bar ${percent(BAR)}): ${isMet ? 'met' : 'NOT MET'}; ` +
      `filling alone ${percent(fill ?? 0)}, by processor time ${percent(processor ?? 0)}\n`,
  );
  return isMet;
}

/** Whether readers of the service are about as quick during a throttled rebuild as without one. */
async function besideReaders(connectionString: string, dataDir: string): Promise<boolean> {
  const service = await startStandalone({ dataDir, env: { DATABASE_URL: connectionString } });
  try {
    const port = Number(new URL(service.baseUrl).port);
    const paths = Array.from({ length: 50 }, (_, n) => `market-${String(n).padStart(5, '0')}`).flatMap((id) => [
      `/api/markets/${id}`,
      `/api/orderbook/${id}`,
      `/api/markets/${id}/events`,
    ]);
    await answerTimes(port, paths, READERS, READ_MS / 4);
    const alone = await answerTimes(port, paths, READERS, READ_MS);
    const script = path.resolve(import.meta.dirname, '../../../operator-cli/src/programs/rebuild.ts');
    const env = { ...process.env, DATABASE_URL: connectionString };
    const child = spawn(process.execPath, ['--import', 'tsx', script, '--throttle'], { env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    const beside = await answerTimes(port, paths, READERS, READ_MS);
    if (child.exitCode !== null) throw new Error('the throttled rebuild ended before it was measured');
    child.kill('SIGKILL');
    await ended;
    const again = await answerTimes(port, paths, READERS, READ_MS);
    console.log('| readers | reads/s | median, ms | p99, ms |');
    console.log('| --- | ---: | ---: | ---: |');
    for (const [name, times] of [
      ['alone', alone],
      ['beside a throttled rebuild', beside],
      ['alone again', again],
    ] as const) {
      const [half, p99] = [0.5, 0.99].map((at) => quantile(times, at).toFixed(2));
      console.log(`| ${name} | ${count((1000 * times.length) / READ_MS)} | ${half} | ${p99} |`);
    }
    const ratio = quantile(beside, 0.99) / quantile([...alone, ...again], 0.99);
    const isMet = ratio <= READ_BAR;
    console.log(`\np99 × ${ratio.toFixed(2)} (bar × ${READ_BAR}): ${isMet ? 'met' : 'NOT MET'}`);
    return isMet;
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

function percent(ratio: number): string {
  return `${(100 * ratio).toFixed(0)} %`;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const dataDir = await mkdtemp(path.join(tmpdir(), 'paper-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir: path.join(dataDir, 'postgres') });
try {
  const { connectionString } = postgres;
  const journal = await createPostgresJournal({ connectionString });
  console.error(`making a journal of ${count(EVENTS)} events …`);
  await fillJournal(journal, { accounts: ACCOUNTS, events: EVENTS, markets: MARKETS });
  await settle(connectionString);
  console.log(
    `${count(EVENTS)} events, ${count(ACCOUNTS)} accounts, ${count(MARKETS)} markets; node ${process.version}\n` +
      `Both write on one connection, and make keys and indexes on ${rebuilding.TABLES_AT_ONCE}\n`,
  );
  const met = [await besideCeiling(journal, connectionString)];
  met.push(await besideReaders(connectionString, path.join(dataDir, 'service')));
  const { resumedAt, seq } = await rebuilding.rebuild({ connectionString, journal });
  console.log(
    `\nThe throttled rebuild was killed; the next one went on with event ${count(resumedAt + 1)} of ${count(seq)}.`,
  );
  await journal.close();
  process.exitCode = met.every(Boolean) ? 0 : 1;
} finally {
  await postgres.stop();
  await rm(dataDir, { force: true, recursive: true });
}
