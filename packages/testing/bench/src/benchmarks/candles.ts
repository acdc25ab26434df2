import { endpoints } from '@paper/contracts';
import { CANDLE_LIMIT_MAX, CANDLE_PERIODS } from '@paper/contracts/markets';
import type { CandlePeriod, CandlesBody } from '@paper/contracts/markets';
import { MINUTE_MS } from '@paper/contracts/units';
import { figure, inTurns, median, milliseconds, printBar, printTable, quantile } from '../index.ts';
import { fillMarkets, fillMinutes, marketId } from '../fixtures/read-model-rows.ts';
import { timeAnswers } from '../fixtures/answers.ts';
import { startQueryServer } from '../fixtures/query-server.ts';
import type { QueryServer } from '../fixtures/query-server.ts';

/**
 * Measures GET /api/markets/{id}/candles with pages of 5,000: all candles of a year, in which eight markets trade every
 * minute. The read models change before each round, so each page is read from the tables. Client and server share one
 * process; in separate ones an answer takes less time.
 */
const MARKETS = 8;
const MINUTES = 365 * 1440;
/** The start of the year, a multiple of all periods. */
const BEGIN = Date.UTC(2025, 0);
const ROUNDS = 5;
const BAR_MS = 20;
const MARKET = marketId(3);

/** The paths of all pages of a period. @throws Error unless they have one candle for each period of the year */
async function pagesOf(server: QueryServer, period: CandlePeriod): Promise<readonly string[]> {
  const paths: string[] = [];
  let candles = 0;
  const list = endpoints.getMarketCandles.path.replace('{id}', MARKET);
  let path: string | undefined = `${list}?period=${period}&limit=${CANDLE_LIMIT_MAX}`;
  while (path !== undefined) {
    const response: Response = await fetch(`${server.url}${path}`);
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    const page = (await response.json()) as CandlesBody;
    for (const { start, trades, volume, low, high } of page.candles) {
      const isRight = Date.parse(start) === BEGIN + candles * period * MINUTE_MS && trades === period && low < high;
      if (!isRight || volume !== 10 * period) throw new Error(`${path}: not the candle of ${start}`);
      candles += 1;
    }
    paths.push(path);
    path = /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
  }
  if (candles !== MINUTES / period) throw new Error(`${candles} candles of ${period} minutes`);
  return paths;
}

const server = await startQueryServer(async (db) => {
  await fillMarkets(db, MARKETS);
  await fillMinutes(db, { markets: MARKETS, minutes: MINUTES, beginMs: BEGIN });
});
try {
  const pages: { readonly period: CandlePeriod; readonly paths: readonly string[] }[] = [];
  for (const period of CANDLE_PERIODS) pages.push({ period, paths: await pagesOf(server, period) });
  console.log(`a year of minutes of ${MARKETS} markets; ${ROUNDS} rounds of all pages, uncompressed\n`);
  const row = printTable(['period, minutes'], ['candles', 'pages', 'MB', 'median, ms', 'p99, ms', 'worst, ms']);
  const measured = await inTurns(pages, { rounds: ROUNDS, warmUps: 1 }, async ({ paths }) => {
    await server.change(marketId(0));
    const answers: { readonly ms: number; readonly bytes: number }[] = [];
    for (const path of paths) {
      const { ms, bytes } = await timeAnswers(server, path, 'identity', 1);
      answers.push({ ms: ms[0] ?? NaN, bytes });
    }
    return answers;
  });
  let slowestMs = NaN;
  for (const [index, { period, paths }] of pages.entries()) {
    const rounds = measured[index] ?? [];
    const times = rounds.flat().map(({ ms }) => ms);
    const bytes = rounds[0]?.reduce((sum, one) => sum + one.bytes, 0) ?? 0;
    const shown = [0.5, 0.99, 1].map((at) => figure(quantile(times, at), 1));
    row(period, figure(MINUTES / period), paths.length, figure(bytes / 1e6, 1), ...shown);
    if (period !== 1) continue;
    slowestMs = Math.max(...paths.map((_path, page) => median(rounds.map((round) => round[page]?.ms ?? NaN))));
  }
  console.log('');
  printBar('median of the slowest page of minutes', slowestMs, { atMost: BAR_MS }, milliseconds);
} finally {
  await server.stop();
}
