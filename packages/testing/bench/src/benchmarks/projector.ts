import { createMemoryJournal, decode } from '@paper/journal';
import { activeSchema, catchUp, connectReadModels, prepareReadModels, Projection } from '@paper/read-models';
import { fillJournal } from '../fixtures/journal.ts';
import { figure, inTurns, median, printBar, printTable, startPostgres, times } from '../index.ts';
import { BenchReadModels } from './projector/read-models.ts';
import type { Size } from './projector/read-models.ts';
import { EVENTS_PER_TRADE } from './projector/trades.ts';

/** Measures the projector's cost of a trade in large and small read models, and how fast a journal is read. */
const SMALL: Size = { accounts: 100, markets: 10, orders: 1_000 };
const LARGE: Size = { accounts: 100_000, markets: 1_000, orders: 300_000 };
/** Events in a transaction (only whole trades), and trades in a round: as orders come in, and when catching up. */
const PACES = [
  { pace: 'live', batchSize: 60, count: 1_000 },
  { pace: 'catching up', batchSize: 4_998, count: 6_664 },
];
const ROUNDS = 5;
const RATIO_BAR = 1.5;
const JOURNAL = { accounts: 2_000, events: 150_000, markets: 100 };

const postgres = await startPostgres();
try {
  await measureCatchUp();
  await compareSizes();
} finally {
  await postgres.stop();
}

/** Compares the sizes in turns; every round has new trades, and the first one warms up. */
async function compareSizes(): Promise<void> {
  const small = await BenchReadModels.fill(postgres.connectionString, 'small', SMALL);
  const large = await BenchReadModels.fill(postgres.connectionString, 'large', LARGE);
  const runs = [
    { name: sizeOf(SMALL), models: small, traders: SMALL },
    { name: `${sizeOf(LARGE)}, the same trades`, models: large, traders: SMALL },
    { name: `${sizeOf(LARGE)}, trades of all of them`, models: large, traders: LARGE },
  ];
  let worst = 0;
  for (const { pace, batchSize, count } of PACES) {
    console.log(`\n${pace}: ${ROUNDS} rounds of ${figure(count)} trades, ${figure(batchSize)} events a transaction\n`);
    const row = printTable(['read models'], ['µs an event', 'rows written an event', 'of the first']);
    const events = count * EVENTS_PER_TRADE;
    const measured = await inTurns(runs, { rounds: ROUNDS, warmUps: 1 }, ({ models, traders }) =>
      models.trade(traders, count, batchSize),
    );
    const micros = measured.map((rounds) => median(rounds.map(({ ms }) => (1000 * ms) / events)));
    const rows = measured.map((rounds) => median(rounds.map((took) => took.rows / events)));
    for (const [index, { name }] of runs.entries()) {
      const ratio = (micros[index] ?? NaN) / (micros[0] ?? NaN);
      row(name, figure(micros[index] ?? NaN, 1), figure(rows[index] ?? NaN, 2), times(ratio));
      if (index === 1) worst = Math.max(worst, ratio);
    }
  }
  await small.close();
  await large.close();
  console.log('');
  printBar('the same trades, large / small', worst, { atMost: RATIO_BAR }, times);
}

/** Projects a journal of an exchange's orders and cancels into empty read models, and measures decoding alone. */
async function measureCatchUp(): Promise<void> {
  const journal = createMemoryJournal();
  await fillJournal(journal, JOURNAL);
  const head = await journal.head();
  const db = connectReadModels({
    connectionString: postgres.connectionString,
    maxConnections: 1,
    synchronousCommit: false,
  });
  await prepareReadModels(db);
  const projection = await Projection.open(db, (await activeSchema(db)) ?? '');
  const rate = (ms: number): string => `${figure((1000 * head.seq) / ms)} events/s`;
  const stored = await journal.read(1, head.seq);
  let begunMs = performance.now();
  for (const event of stored) decode(event);
  console.log(`a journal of ${figure(head.seq)} events: decoded ${rate(performance.now() - begunMs)}`);
  begunMs = performance.now();
  await catchUp(projection, journal, head.seq);
  console.log(`decoded, folded and written with all indexes: ${rate(performance.now() - begunMs)}`);
  await db.destroy();
}

function sizeOf({ accounts, markets }: Size): string {
  return `${figure(accounts)} accounts, ${figure(markets)} markets`;
}
