import { MINUTE_MS } from '@paper/contracts/units';
import type { CandlePeriod, CandleView } from '@paper/contracts/markets';
import { sql } from 'kysely';
import type { InferResult, RawBuilder } from 'kysely';
import { candleColumns } from './candle-columns.ts';
import type { ReadDb } from '../tables.ts';
import { wholeMinute } from '../minute.ts';
import type { Page, PageRequest, TimeRange } from '../page.ts';

/** The starts of the wanted candles, which are their positions too. */
export interface CandleFilter extends PageRequest, TimeRange {
  /** The length of a candle, in minutes. */
  readonly period: CandlePeriod;
}

/** The starts of the first and the last candle of a page. If the last is before the first, the page is empty. */
interface Span {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly periodMs: number;
}

/** A market at the end of a minute: totals until then; open, high and low of the candle that contains the minute. */
type MinuteEnd = InferResult<ReturnType<typeof minutesOf>>[number];

/** Stands for null in a packed column of prices. */
const NO_PRICE = -1;

/** The columns of minutes with events as Postgres sends them: 8 bytes for a count or a time, 2 for a price. */
type PackedColumns = { readonly [N in keyof MinuteEnd]: Buffer };

/** A market's candles, oldest first, from its first trade to `newestAtMs` or its settlement; null: unknown market. */
export async function findCandles(
  db: ReadDb,
  newestAtMs: number,
  marketId: string,
  filter: CandleFilter,
): Promise<Page<CandleView> | null> {
  const market = await db
    .selectFrom('markets')
    .select(['phase', 'first_fill_minute_ms'])
    .select((eb) =>
      eb
        .selectFrom('market_minutes')
        .select((minute) => minute.fn.max('minute_ms').as('minute_ms'))
        .whereRef('market_id', '=', 'markets.id')
        .as('last_minute_ms'),
    )
    .where('id', '=', marketId)
    .executeTakeFirst();
  if (market === undefined) return null;
  if (market.first_fill_minute_ms === null) return { items: [], next: null };
  // The settlement is the last event of a market.
  const hasEnded = market.phase === 'resolved' || market.phase === 'void';
  const endMs = hasEnded ? (market.last_minute_ms ?? 0) : wholeMinute(newestAtMs);
  const whole = spanOf(market.first_fill_minute_ms, endMs, filter);
  const lastOfPageMs = whole.firstMs + (filter.limit - 1) * whole.periodMs;
  const page = { ...whole, lastMs: Math.min(whole.lastMs, lastOfPageMs) };
  if (page.lastMs < page.firstMs) return { items: [], next: null };
  const before = await minuteBefore(db, marketId, page.firstMs);
  const ends = await periodEnds(db, marketId, filter.period, page);
  return { items: candles(page, before, ends), next: page.lastMs < whole.lastMs ? page.lastMs : null };
}

/** The span of the candles that the filter selects between two minutes. */
function spanOf(firstMinuteMs: number, lastMinuteMs: number, { period, fromMs, toMs, after }: CandleFilter): Span {
  const periodMs = period * MINUTE_MS;
  const startOf = (ms: number): number => Math.floor(ms / periodMs) * periodMs;
  return {
    firstMs: Math.max(
      startOf(firstMinuteMs),
      fromMs === undefined ? 0 : Math.ceil(fromMs / periodMs) * periodMs,
      after === undefined ? 0 : startOf(after) + periodMs,
    ),
    lastMs: Math.min(startOf(lastMinuteMs), toMs === undefined ? Infinity : startOf(toMs - 1)),
    periodMs,
  };
}

function minuteBefore(db: ReadDb, marketId: string, ms: number): Promise<MinuteEnd | undefined> {
  return minutesOf(db, marketId).where('minute_ms', '<', ms).orderBy('minute_ms', 'desc').limit(1).executeTakeFirst();
}

function minutesOf(db: ReadDb, marketId: string) {
  return db.selectFrom('market_minutes').select(columnsFor(1)).where('market_id', '=', marketId);
}

/** Each period's last minute with an event, oldest first. A value per column takes a third of the time of rows. */
function periodEnds(db: ReadDb, marketId: string, period: CandlePeriod, span: Span): Promise<PackedColumns> {
  const ends = period === 1 ? minutesIn(db, marketId, span) : lastMinutes(db, marketId, period, span);
  const joined = <N extends keyof MinuteEnd>(name: N, bytes: RawBuilder<Buffer>) =>
    sql<Buffer>`coalesce(string_agg(${bytes}, ''), '')`.as<N>(name);
  const whole = <N extends keyof MinuteEnd>(name: N) => joined(name, sql`int8send(${sql.ref(`end.${name}`)})`);
  const price = <N extends keyof MinuteEnd>(name: N) =>
    joined(name, sql`int2send(coalesce(${sql.ref(`end.${name}`)}, ${sql.lit(NO_PRICE)}::int2))`);
  return db
    .selectFrom(ends.as('end'))
    .select([whole('minute_ms'), whole('volume_shares'), whole('trades'), price('last_trade_units')])
    .select([price('best_bid_units'), price('best_ask_units')])
    .select([price('open_units'), price('high_units'), price('low_units')])
    .executeTakeFirstOrThrow();
}

function minutesIn(db: ReadDb, marketId: string, { firstMs, lastMs }: Span) {
  return minutesOf(db, marketId)
    .where('minute_ms', '>=', firstMs)
    .where('minute_ms', '<=', lastMs)
    .orderBy('minute_ms');
}

/** Takes one index step for each period, however many minutes the period has. */
function lastMinutes(db: ReadDb, marketId: string, period: CandlePeriod, { firstMs, lastMs, periodMs }: Span) {
  const periods = sql<{ start_ms: number }>`generate_series(${firstMs}::int8, ${lastMs}::int8, ${periodMs}::int8)`;
  return db
    .selectFrom(periods.as<'period'>(sql`period(start_ms)`))
    .crossJoinLateral((eb) =>
      eb
        .selectFrom('market_minutes')
        .select(columnsFor(period))
        .where('market_id', '=', marketId)
        .whereRef('minute_ms', '>=', 'period.start_ms')
        .where('minute_ms', '<', (of) => of('period.start_ms', '+', periodMs))
        .orderBy('minute_ms', 'desc')
        .limit(1)
        .as('last'),
    )
    .selectAll('last')
    .orderBy('period.start_ms');
}

/** The columns of a `MinuteEnd` for candles of this period. */
function columnsFor(period: CandlePeriod) {
  const { open, high, low } = candleColumns(period);
  return [
    'minute_ms',
    'volume_shares',
    'trades',
    'last_trade_units',
    'best_bid_units',
    'best_ask_units',
    `${open} as open_units`,
    `${high} as high_units`,
    `${low} as low_units`,
  ] as const;
}

/** A candle for each period of the span, including periods without an event. */
function candles(
  { firstMs, lastMs, periodMs }: Span,
  before: MinuteEnd | undefined,
  ends: PackedColumns,
): CandleView[] {
  const found: CandleView[] = [];
  const count = ends.minute_ms.length / 8;
  let last = before;
  let next = 0;
  for (let start = firstMs; start <= lastMs; start += periodMs) {
    if (next < count && wholeAt(ends.minute_ms, next) < start + periodMs) {
      const end = endAt(ends, next);
      found.push(candle(start, last, end));
      last = end;
      next += 1;
    } else {
      found.push(candle(start, last, last));
    }
  }
  return found;
}

function endAt(ends: PackedColumns, index: number): MinuteEnd {
  return {
    minute_ms: wholeAt(ends.minute_ms, index),
    volume_shares: wholeAt(ends.volume_shares, index),
    trades: wholeAt(ends.trades, index),
    last_trade_units: priceAt(ends.last_trade_units, index),
    best_bid_units: priceAt(ends.best_bid_units, index),
    best_ask_units: priceAt(ends.best_ask_units, index),
    open_units: priceAt(ends.open_units, index),
    high_units: priceAt(ends.high_units, index),
    low_units: priceAt(ends.low_units, index),
  };
}

/** Reads a non-negative safe integer of 8 bytes, without the BigInt that `readBigInt64BE` makes. */
function wholeAt(column: Buffer, index: number): number {
  return column.readUInt32BE(8 * index) * 2 ** 32 + column.readUInt32BE(8 * index + 4);
}

function priceAt(column: Buffer, index: number): number | null {
  const units = column.readInt16BE(2 * index);
  return units === NO_PRICE ? null : units;
}

/** The candle between two states of the market. If both are the same state, nothing happened in between. */
function candle(start: number, before: MinuteEnd | undefined, end: MinuteEnd | undefined): CandleView {
  const closeUnits = end?.last_trade_units ?? null;
  if (end === undefined || closeUnits === null) throw new Error(`no trade before the candle of ${start}`);
  const trades = end.trades - (before?.trades ?? 0);
  return {
    start,
    openUnits: trades === 0 ? closeUnits : (end.open_units ?? closeUnits),
    highUnits: trades === 0 ? closeUnits : (end.high_units ?? closeUnits),
    lowUnits: trades === 0 ? closeUnits : (end.low_units ?? closeUnits),
    closeUnits,
    volume: end.volume_shares - (before?.volume_shares ?? 0),
    trades,
    bestBidUnits: end.best_bid_units,
    bestAskUnits: end.best_ask_units,
  };
}
