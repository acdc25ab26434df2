import { figure, median, milliseconds, printBar } from '../index.ts';
import { startQueryServer } from '../fixtures/query-server.ts';
import { fillMarkets, fillSignals, marketId } from '../fixtures/read-model-rows.ts';
import { timeAnswers, timeFirstAnswer, measureChanges, summarize } from '../fixtures/answers.ts';

/**
 * Measures GET /api/markets/signals with 2,000 markets of five cited signals each: an answer, the time until a change
 * is served, and how long the event loop is blocked. Client and server share one process; in separate ones an answer
 * takes less time.
 */
const MARKETS = 2_000;
const SIGNALS_EACH = 5;
const ANSWERS = 200;
const CHANGES = 20;
const BAR_MS = 50;
const PATH = '/api/markets/signals';

const server = await startQueryServer(async (db) => {
  await fillMarkets(db, MARKETS);
  await fillSignals(db, MARKETS, SIGNALS_EACH);
});
try {
  console.log(`first answer, graph and all: ${(await timeFirstAnswer(server, PATH)).toFixed(0)} ms`);
  for (const encoding of ['gzip', 'identity'] as const) {
    const { ms, bytes } = await timeAnswers(server, PATH, encoding, ANSWERS);
    console.log(`${encoding.padEnd(8)} ${figure(bytes / 1e6, 2)} MB: ${summarize(ms)}`);
    printBar(`median of ${encoding}`, median(ms), { atMost: BAR_MS }, milliseconds);
  }
  const changes = Array.from({ length: CHANGES }, (_, n) => marketId(n * 31));
  await measureChanges(server, PATH, changes);
} finally {
  await server.stop();
}
