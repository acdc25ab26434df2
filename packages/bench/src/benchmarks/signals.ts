import { monitorEventLoopDelay } from 'node:perf_hooks';
import { QueryServer } from './boards/query-server.ts';
import { fillMarkets, fillSignals, marketId } from './boards/fill.ts';
import { answerTimes, delays, firstAnswer, spread } from './boards/measure.ts';

/**
 * Measures GET /api/markets/signals with 2,000 active markets of five cited signals each: the time of an answer, the
 * time until a change is served, and how long the computation blocks the event loop. Client and server share one
 * process here; apart, an answer takes less.
 */
const MARKETS = 2_000;
const SIGNALS_EACH = 5;
const ANSWERS = 200;
const CHANGES = 20;
const BAR_MS = 50;
const PATH = '/api/markets/signals';

const server = await QueryServer.start(async (db) => {
  await fillMarkets(db, MARKETS);
  await fillSignals(db, MARKETS, SIGNALS_EACH);
});
try {
  console.log(`first answer, graph and all: ${(await firstAnswer(server, PATH)).toFixed(0)} ms`);
  for (const encoding of ['gzip', 'identity'] as const) {
    const { ms, bytes } = await answerTimes(server, PATH, encoding, ANSWERS);
    console.log(`${encoding.padEnd(8)} ${(bytes / 1e6).toFixed(2)} MB: ${spread(ms)} (bar: median ≤ ${BAR_MS} ms)`);
  }
  const changes = Array.from({ length: CHANGES }, (_, n) => marketId(n * 31));
  const held = monitorEventLoopDelay({ resolution: 5 });
  held.enable();
  console.log(`a change is shown after: ${spread(await delays(server, PATH, changes))} (bar: 2 s)`);
  held.disable();
  console.log(
    `event loop held up meanwhile: p99 ${(held.percentile(99) / 1e6).toFixed(1)} ms, worst ${(held.max / 1e6).toFixed(1)} ms`,
  );
} finally {
  await server.stop();
}
