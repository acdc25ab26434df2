import type { SignalRecorded } from '@paper/exchange/events';
import { ChangedRows } from '../../engine/changed-rows.ts';
import type { EventPosition, ModelRows } from '../../engine/model.ts';
import type { Plan } from '../../engine/plan.ts';
import type { MarketFold } from '../markets/market-fold.ts';
import type { Markets } from '../markets/fold.ts';
import { model } from '../model.ts';
import { SIGNALS } from './table.ts';
import type { SignalRow } from './table.ts';

/** How long after a signal its `prob_after_half_units` is updated. */
const WINDOW_MS = 60_000;

/** A signal whose `prob_after_half_units` may still change. */
type RecentSignal = Pick<SignalRow, 'seq' | 'at_ms'>;

export class Signals implements ModelRows {
  readonly rows = new ChangedRows<SignalRow>(SIGNALS);
  readonly #recent = new Map<string, RecentSignal[]>();

  constructor(private readonly markets: Markets) {}

  add(row: SignalRow): void {
    this.rows.add(row);
    if (row.market_id !== null) this.watch(row.market_id, row);
  }

  /** Lets the signal's row follow the market's probability until its window is over. */
  watch(marketId: string, signal: RecentSignal): void {
    const recent = this.#recent.get(marketId);
    if (recent === undefined) this.#recent.set(marketId, [signal]);
    else recent.push(signal);
  }

  /** Ends the windows that are over before an event at this time: their signals keep the present probability. */
  endWindows(market: MarketFold, atMs: number): void {
    const recent = this.#recent.get(market.id);
    if (recent === undefined) return;
    while (recent[0] !== undefined && atMs > recent[0].at_ms + WINDOW_MS) {
      this.#setAfter(recent[0], market);
      recent.shift();
    }
    if (recent.length === 0) this.#recent.delete(market.id);
  }

  endBatch(): void {
    for (const market of this.markets.changed) {
      for (const signal of this.#recent.get(market.id) ?? []) this.#setAfter(signal, market);
      if (market.ended) this.#recent.delete(market.id);
    }
  }

  planChanged(plan: Plan): void {
    this.rows.plan(plan);
  }

  #setAfter({ seq }: RecentSignal, market: MarketFold): void {
    this.rows.set(seq, { prob_after_half_units: market.probabilityHalfUnits() });
  }
}

export const signals = model<Signals, { readonly markets: Markets; readonly signals: Signals }>({
  tables: [SIGNALS],
  create: ({ markets }) => new Signals(markets),
  async load(own, db, { atMs, rows }) {
    const recent = await db
      .selectFrom('signals')
      .select(['seq', 'market_id', 'at_ms'])
      .where('at_ms', '>=', atMs - WINDOW_MS)
      .orderBy('seq')
      .execute();
    for (const { market_id, ...signal } of recent) {
      if (market_id !== null && rows.markets.live.has(market_id)) own.watch(market_id, signal);
    }
  },
  beforeEach({ at }, _position, { markets, signals }) {
    if (markets.current !== null) signals.endWindows(markets.current, at);
  },
  on: {
    SignalRecorded: (event, at, { markets, signals }) => signals.add(signalRow(event, at, markets.current)),
  },
});

/** @param market the market's state when the signal is recorded; null for a signal about the whole platform */
function signalRow(event: SignalRecorded, { seq, id }: EventPosition, market: MarketFold | null): SignalRow {
  const probabilityHalfUnits = market?.probabilityHalfUnits() ?? null;
  return {
    seq,
    id,
    market_id: event.marketId,
    source: event.source,
    external_id: event.externalId,
    headline: event.headline,
    citation_url: event.citationUrl,
    published_at_ms: event.publishedAt,
    event: event.event,
    fair_prob: event.fairProb,
    fact_value: event.factValue,
    threshold: event.threshold,
    confidence: event.confidence,
    freshness_ms: event.freshnessMs ?? Math.max(0, event.at - event.publishedAt),
    prob_before_half_units: probabilityHalfUnits,
    prob_after_half_units: probabilityHalfUnits,
    interpolated: market !== null && !market.hasPrice,
    at_ms: event.at,
  };
}
