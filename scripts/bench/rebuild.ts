import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import { createPostgresJournal, type Journal } from '@paper/journal';
import { rebuild } from '@paper/read-models';
import { startStandalone } from '@paper/testkit';
import { BareWriter } from './rebuild/bare-writer.ts';
import { answerTimes, quantile } from './rebuild/readers.ts';
import { BenchExchange } from './startup/journal.ts';

/**
 * A rebuild of a journal of 1,000,000 events, beside a bare program that reads the same pages of the journal and writes
 * the same final rows in bulk, once each, without decoding or folding anything; both with the indexes and statistics
 * that readers need. Then readers of a whole service while nothing else happens, and beside a throttled rebuild.
 *
 * Options: how many events (default 1,000,000).
 */
const EVENTS = Number(process.argv[2] ?? 1_000_000);
const ACCOUNTS = EVENTS / 50;
const MARKETS = 1_000;
const ROUNDS = 3;
const BAR = 0.6;
const READERS = 4;
/** Shorter where the rebuild would end before. */
const READ_MS = Math.min(20_000, EVENTS / 10);
const READ_BAR = 2;
const PAGE = 20_000;

const count = (value: number): string => Math.round(value).toLocaleString('en-US');

interface Took {
  readonly fillMs: number;
  readonly allMs: number;
}

async function rebuilt(journal: Journal, connectionString: string): Promise<Took & { readonly schema: string }> {
  const begunMs = performance.now();
  let filledMs = begunMs;
  const { schema } = await rebuild({
    batchSize: PAGE,
    connectionString,
    journal,
    onProgress: ({ phase }) => {
      if (phase === 'indexing') filledMs = performance.now();
    },
  });
  return { allMs: performance.now() - begunMs, fillMs: filledMs - begunMs, schema };
}

/** Rounds in turns; prints them, and gives whether the bar was met. */
async function besideCeiling(journal: Journal, connectionString: string): Promise<boolean> {
  const { schema } = await rebuilt(journal, connectionString);
  const bare = await BareWriter.open(connectionString, schema);
  const [all, fill]: [number[], number[]] = [[], []];
  console.log('| round | rebuild, events/s | bare, events/s | ratio | filling alone, ratio |');
  console.log('| ---: | ---: | ---: | ---: | ---: |');
  for (let round = 1; round <= ROUNDS; round += 1) {
    const own = await rebuilt(journal, connectionString);
    const ceiling = await bare.write(journal, PAGE, own.schema);
    all.push(ceiling.allMs / own.allMs);
    fill.push(ceiling.fillMs / own.fillMs);
    const rates = [own, ceiling].map(({ allMs }) => count((1000 * EVENTS) / allMs));
    const ratios = [all, fill].map((ratio) => percent(ratio.at(-1) ?? 0));
    console.log(`| ${[round, ...rates, ...ratios].join(' | ')} |`);
  }
  await bare.close();
  const isMet = median(all) >= BAR;
  console.log(
    `\nmedian ${percent(median(all))} of the bare program, filling alone ${percent(median(fill))} ` +
      `(bar ${percent(BAR)} of the whole): ${isMet ? 'met' : 'NOT MET'}\n`,
  );
  return isMet;
}

/** Gives whether readers of the service were about as quick beside a throttled rebuild. */
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
    const script = path.resolve(import.meta.dirname, '../rebuild.ts');
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
  const exchange = new BenchExchange(journal, MARKETS);
  await exchange.open(ACCOUNTS);
  await exchange.tradeUntil(EVENTS);
  console.log(
    `${count(EVENTS)} events, ${count(ACCOUNTS)} accounts, ${count(MARKETS)} markets; node ${process.version}\n`,
  );
  const met = [await besideCeiling(journal, connectionString)];
  await journal.close();
  met.push(await besideReaders(connectionString, path.join(dataDir, 'service')));
  process.exitCode = met.every(Boolean) ? 0 : 1;
} finally {
  await postgres.stop();
  await rm(dataDir, { force: true, recursive: true });
}
