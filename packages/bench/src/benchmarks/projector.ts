import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import { decode } from '@paper/journal';
import { activeSchema, catchUp, connectReadModels, prepareReadModels, Projection } from '@paper/read-models';
import { exchangeJournal } from './projector/exchange-journal.ts';
import { BenchReadModels, type Size } from './projector/read-models.ts';
import { EVENTS_OF_TRADE } from './projector/trades.ts';

/**
 * Measures the cost of a trade for the projector: in read models of 100,000 accounts and 1,000 markets with 1,000
 * holders each, whose values it changes, and the same trades in small ones; and how fast a journal is read from its
 * beginning.
 */
const SMALL: Size = { accounts: 100, markets: 10, orders: 1_000 };
const LARGE: Size = { accounts: 100_000, markets: 1_000, orders: 300_000 };
/**
 * Each pace has the events of a transaction (only whole trades) and the trades of a round. `live` is the pace of
 * incoming orders, the other one that of catching up.
 */
const PACES = [
  { pace: 'live', batchSize: 60, count: 1_000 },
  { pace: 'catching up', batchSize: 4_998, count: 6_664 },
];
const ROUNDS = 5;
const RATIO_BAR = 1.5;
const COMMANDS = 100_000;

const dataDir = await mkdtemp(join(tmpdir(), 'paper-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir });
try {
  await measureCatchUp();
  const met = await compareSizes();
  process.exitCode = met ? 0 : 1;
} finally {
  await postgres.stop();
  await rm(dataDir, { force: true, recursive: true });
}

/** Rounds in turns; every round has new trades. Gives whether the bar was met. */
async function compareSizes(): Promise<boolean> {
  const small = await BenchReadModels.fill(postgres.connectionString, 'small', SMALL);
  const large = await BenchReadModels.fill(postgres.connectionString, 'large', LARGE);
  const runs = [
    { name: sizeOf(SMALL), models: small, traders: SMALL },
    { name: `${sizeOf(LARGE)}, the same trades`, models: large, traders: SMALL },
    { name: `${sizeOf(LARGE)}, trades of all of them`, models: large, traders: LARGE },
  ];
  let worst = 0;
  for (const { pace, batchSize, count } of PACES) {
    console.log(`${pace}: ${ROUNDS} rounds of ${group(count)} trades, ${group(batchSize)} events a transaction`);
    const events = count * EVENTS_OF_TRADE;
    const micros = runs.map((): number[] => []);
    const rows = runs.map((): number[] => []);
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const [index, { models, traders }] of runs.entries()) {
        const took = await models.trade(traders, count, batchSize);
        // The first round warms up.
        if (round < 0) continue;
        micros[index]?.push((1000 * took.ms) / events);
        rows[index]?.push(took.rows / events);
      }
    }
    const base = median(micros[0] ?? []);
    for (const [index, { name }] of runs.entries()) {
      const ratio = median(micros[index] ?? []) / base;
      const cells = [
        `${median(micros[index] ?? []).toFixed(1)} µs`,
        `${median(rows[index] ?? []).toFixed(2)} rows written`,
      ];
      console.log(
        `  ${name.padEnd(62)}${cells.map((cell) => cell.padStart(20)).join('')} an event   × ${ratio.toFixed(2)}`,
      );
      if (index === 1) worst = Math.max(worst, ratio);
    }
  }
  await small.close();
  await large.close();
  console.log(`the same trades cost at most × ${worst.toFixed(2)} (bar × ${RATIO_BAR.toFixed(1)})`);
  return worst <= RATIO_BAR;
}

/** Projects a journal of an exchange's orders and cancels into empty read models; and measures decoding alone. */
async function measureCatchUp(): Promise<void> {
  const { journal, head } = await exchangeJournal(COMMANDS);
  const db = connectReadModels({
    connectionString: postgres.connectionString,
    maxConnections: 1,
    synchronousCommit: false,
  });
  await prepareReadModels(db);
  const projection = await Projection.open(db, (await activeSchema(db)) ?? '');
  const rate = (ms: number): string => `${group(Math.round((1000 * head.seq) / ms))} events/s`;
  const stored = await journal.read(1, head.seq);
  let begunMs = performance.now();
  for (const event of stored) decode(event);
  console.log(`a journal of ${group(head.seq)} events: decoded ${rate(performance.now() - begunMs)}`);
  begunMs = performance.now();
  await catchUp(projection, journal, head.seq);
  console.log(`decoded, folded and written with all indexes: ${rate(performance.now() - begunMs)}`);
  await db.destroy();
}

function sizeOf({ accounts, markets }: Size): string {
  return `${group(accounts)} accounts, ${group(markets)} markets`;
}

function group(count: number): string {
  return count.toLocaleString('en-US');
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
