import type { Caller, Client } from '@paper/contracts';
import { TREND_HOURS } from '@paper/contracts/markets';
import type { MarketView } from '@paper/contracts/markets';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@paper/contracts/units';
import { LruCache, queries } from '@paper/read-models';
import type { ReadModels, ReadView } from '@paper/read-models';
import type { LongReadTurns } from './long-read-turns.ts';

/** A market's probabilities in half units, by the minutes at whose end they held; null before the listing. */
type Past = ReadonlyMap<number, number | null>;

const NONE: Past = new Map();
/** The size of a cached market: 25 entries of a Map. */
const PAST_BYTES = 1_200;
/** The most index steps of a short read: those of a page of the default size. */
const SHORT_STEPS = 50 * (1 + TREND_HOURS);

/**
 * Adds trends to pages of markets. The probability at the end of a past minute never changes, so it is cached: of a
 * known market only that of 24 h ago is read once a minute, and that of the last whole hour once an hour.
 */
export class MarketTrends {
  readonly #cache = new LruCache<Past>({ answers: 20_000, bytes: 32 * 1024 * 1024 });

  constructor(
    private readonly readModels: ReadModels,
    private readonly turns: LongReadTurns,
    private readonly now: () => number,
  ) {}

  async added<M extends MarketView & { readonly priorUnits: number }>(
    markets: readonly M[],
    caller: Caller,
    client: Client,
  ): Promise<M[]> {
    const nowMs = this.now();
    // An event exactly at a whole hour counts for the next hour, as in candles, so the previous minute is the last.
    const lastHourMs = nowMs - (nowMs % HOUR_MS) - MINUTE_MS;
    const hoursMs = Array.from({ length: TREND_HOURS }, (_, hour) => lastHourMs - (TREND_HOURS - 1 - hour) * HOUR_MS);
    const dayAgoMs = nowMs - (nowMs % MINUTE_MS) - DAY_MS;
    const past = await this.#read(markets, [dayAgoMs, ...hoursMs], caller, client);
    return markets.map((market) => {
      const at = (minuteMs: number) =>
        hadEnded(market, minuteMs) ? market.probabilityHalfUnits : (past.get(market.id)?.get(minuteMs) ?? null);
      const dayAgoHalfUnits = at(dayAgoMs) ?? 2 * market.priorUnits;
      return { ...market, trend: { dayAgoHalfUnits, hourlyHalfUnits: hoursMs.map(at) } };
    });
  }

  async #read(markets: readonly MarketView[], minutesMs: readonly number[], caller: Caller, client: Client) {
    const { generation } = this.readModels;
    const keyOf = (id: string): string => `${generation} ${id}`;
    const past = new Map(markets.map(({ id }) => [id, this.#cache.get(keyOf(id)) ?? NONE]));
    const isMissing = (market: MarketView, minuteMs: number) =>
      past.get(market.id)?.has(minuteMs) === false && !hadEnded(market, minuteMs);
    const missing = markets.filter((market) => minutesMs.some((minuteMs) => isMissing(market, minuteMs)));
    if (missing.length === 0) return past;

    const ids = missing.map(({ id }) => id);
    const missingMs = minutesMs.filter((minuteMs) => missing.some((market) => isMissing(market, minuteMs)));
    const find = async ({ db, atMs }: ReadView) => ({
      rows: await queries.probabilitiesAt(db, ids, missingMs),
      atMs,
    });
    const { rows, atMs } = await (ids.length * missingMs.length <= SHORT_STEPS
      ? this.readModels.read(find)
      : this.turns.read(caller, client, find));
    const found = new Map(ids.map((id) => [id, new Map(past.get(id))]));
    for (const { marketId, minuteMs, halfUnits } of rows) found.get(marketId)?.set(minuteMs, halfUnits);
    const needed = new Set(minutesMs);
    for (const [id, own] of found) {
      past.set(id, own);
      // A minute is final only once the journal has an event after it: until then it may get another event.
      const final = [...own].filter(([minuteMs]) => needed.has(minuteMs) && minuteMs + MINUTE_MS <= atMs);
      this.#cache.set(keyOf(id), new Map(final), PAST_BYTES);
    }
    return past;
  }
}

/** Whether the market had ended: from its resolution on, its probability is the payout of YES. */
function hadEnded({ resolvedAt }: MarketView, minuteMs: number): boolean {
  return resolvedAt !== null && resolvedAt < minuteMs;
}
