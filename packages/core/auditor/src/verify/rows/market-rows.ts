import type { Outcome } from '../../events/judged-commands.ts';
import type { EventOf, JudgedEvent } from '../../events/judged-events.ts';
import { levelsOf } from '../../ledger/ledger.ts';
import type { BookMarket } from '../../ledger/ledger.ts';
import { middleHalf, probabilityHalf } from '../../ledger/probability.ts';
import { CandleRows } from './candle-rows.ts';
import { HistoryRows } from './history-rows.ts';
import { startOfMinute } from './row.ts';
import type { Emit, EventPosition, Row } from './row.ts';

const SIGNAL_WINDOW_MS = 60_000;
const PHASE_AFTER = { MarketActivated: 'active', MarketPaused: 'paused', MarketClosed: 'closed' } as const;

/** The rows about one market that the ledger does not keep. */
export class MarketRows {
  #listing: Row;
  readonly #history: HistoryRows;
  readonly #candles = new CandleRows();
  readonly #prior: number;
  #phase: string;
  #volume = 0;
  #trades = 0;
  #lastTrade: number | null = null;
  #firstFillMinute: number | null = null;
  #lastFillMinute: number | null = null;
  #outcome: Outcome | null = null;
  #endedAt: number | null = null;
  #settled: Row = { cancelled_orders: null, settled_accounts: null, paid_units: null };
  #seq = 0;
  #minute: number | null = null;
  #signals: { readonly at: number; readonly row: Row }[] = [];

  constructor(
    event: EventOf<'MarketListed'>,
    position: EventPosition,
    private readonly book: BookMarket,
    private readonly emit: Emit,
  ) {
    this.#listing = {
      id: event.marketId,
      title: event.title,
      ticker: event.ticker,
      company_slug: event.companySlug,
      sector: event.sector,
      category: event.category,
      settlement_source: event.settlementSource,
      description: event.description,
      citation_url: event.citationUrl,
      drivers: event.drivers,
      company_impact: event.companyImpact,
      prior_units: event.priorUnits,
      tick_units: event.tickUnits,
      closes_at_ms: event.closesAt,
      created_at_ms: event.at,
      created_seq: position.seq,
      listing_id: position.id,
      title_search: searched(event.title),
      names_search: searched(`${event.ticker}\n${event.companySlug}`),
    };
    this.#history = new HistoryRows(book);
    this.#prior = event.priorUnits;
    this.#phase = event.phase;
  }

  get probabilityHalf(): number {
    return probabilityHalf(this.book, { prior: this.#prior, last: this.#lastTrade });
  }

  /** Call this before the ledger applies an event: a minute, or the window of an earlier signal, may have ended. */
  before(at: number): void {
    if (this.#minute !== startOfMinute(at)) this.#emitMinute();
    while (this.#signals[0] !== undefined && at > this.#signals[0].at + SIGNAL_WINDOW_MS) this.#emitSignal();
  }

  /** Call this after the ledger has applied the event. `half`: the probability before it. */
  after(event: JudgedEvent, position: EventPosition, half: number): void {
    this.#seq = position.seq;
    switch (event.type) {
      case 'MarketAmended': {
        const { citationUrl, closesAt, companyImpact, description, drivers, title } = event;
        const texts = { description, drivers, title, title_search: searched(title), citation_url: citationUrl };
        this.#listing = { ...this.#listing, ...texts, company_impact: companyImpact, closes_at_ms: closesAt };
        break;
      }
      case 'MarketActivated':
      case 'MarketPaused':
      case 'MarketClosed':
        this.#phase = PHASE_AFTER[event.type];
        break;
      case 'OrderFilled':
        this.#fill(event);
        break;
      case 'MarketResolved':
      case 'MarketVoided':
        this.#end(event, position, half);
        break;
      case 'MarketSettled': {
        this.#phase = this.#outcome === null ? 'void' : 'resolved';
        const { cancelledOrders, paidUnits, settledAccounts } = event;
        this.#settled = { cancelled_orders: cancelledOrders, settled_accounts: settledAccounts, paid_units: paidUnits };
        break;
      }
      case 'SignalRecorded': {
        const unpriced = this.book.yesPays === null && this.#lastTrade === null && middleHalf(this.book) === null;
        const row = { ...signalRow(event, position), prob_before_half_units: half, interpolated: unpriced };
        this.#signals.push({ at: event.at, row });
        break;
      }
      default:
        break;
    }
    this.#minute = startOfMinute(event.at);
    const figures = {
      phase: this.#phase,
      probability_half_units: this.probabilityHalf,
      last_trade_units: this.#lastTrade,
    };
    this.emit('market_history', this.#history.row(event, position.seq, figures));
    if (RECORDED.has(event.type) || this.#isEmptied(event)) this.#emitRecord(event, position.seq, figures);
  }

  finish(): void {
    while (this.#signals.length > 0) this.#emitSignal();
    this.#emitMinute();
    this.emit('markets', this.#row());
    for (const side of ['bid', 'ask'] as const) this.#emitLevels(side);
  }

  #row(): Row {
    const { book } = this;
    return {
      ...this.#listing,
      phase: this.#phase,
      status: this.#phase === 'active' || this.#phase === 'resolved' ? this.#phase : 'pending',
      probability_half_units: this.probabilityHalf,
      volume_shares: this.#volume,
      open_interest_pairs: book.pairs,
      best_bid_units: book.bids[0]?.yesPrice ?? null,
      best_ask_units: book.asks[0]?.yesPrice ?? null,
      last_trade_units: this.#lastTrade,
      first_fill_minute_ms: this.#firstFillMinute,
      last_fill_minute_ms: this.#lastFillMinute,
      resolved_outcome: this.#outcome,
      settle_price_units: book.yesPays,
      resolved_at_ms: this.#endedAt,
      ...this.#settled,
      seq: this.#seq,
    };
  }

  #fill({ at, quantity, yesPriceUnits }: EventOf<'OrderFilled'>): void {
    this.#volume += quantity;
    this.#trades += 1;
    this.#lastTrade = yesPriceUnits;
    this.#lastFillMinute = startOfMinute(at);
    this.#firstFillMinute ??= this.#lastFillMinute;
    this.#candles.trade(at, yesPriceUnits);
  }

  #end(event: EventOf<'MarketResolved' | 'MarketVoided'>, { id, seq }: EventPosition, half: number): void {
    this.#phase = 'settling';
    this.#outcome = event.type === 'MarketVoided' ? null : event.outcome;
    this.#endedAt = event.at;
    const isVoid = event.type === 'MarketVoided';
    const { headline, source, citationUrl } = isVoid
      ? { headline: event.reason, source: null, citationUrl: null }
      : event;
    this.emit('resolutions', {
      market_id: event.marketId,
      seq,
      id,
      outcome: this.#outcome,
      price_units: this.book.yesPays,
      headline,
      source,
      citation_url: citationUrl,
      prob_before_half_units: half,
      at_ms: event.at,
    });
  }

  #isEmptied(event: JudgedEvent): boolean {
    const { asks, bids } = this.book;
    return event.type === 'OrderCancelled' && this.#phase === 'closed' && asks.length + bids.length === 0;
  }

  #emitRecord(event: JudgedEvent, seq: number, figures: Row): void {
    const { asks, bids, marketId, pairs } = this.book;
    const named = event.type === 'MarketListed' || event.type === 'MarketAmended' ? event : null;
    this.emit('market_records', {
      ...figures,
      market_id: marketId,
      seq,
      title: named && named.title,
      description: named && named.description,
      citation_url: named && named.citationUrl,
      closes_at_ms: named && named.closesAt,
      volume_shares: this.#volume,
      open_interest_pairs: pairs,
      best_bid_units: bids[0]?.yesPrice ?? null,
      best_ask_units: asks[0]?.yesPrice ?? null,
    });
  }

  #emitMinute(): void {
    if (this.#minute === null) return;
    const { asks, bids, marketId: market_id } = this.book;
    this.emit('market_minutes', {
      market_id,
      minute_ms: this.#minute,
      volume_shares: this.#volume,
      trades: this.#trades,
      probability_half_units: this.probabilityHalf,
      last_trade_units: this.#lastTrade,
      best_bid_units: bids[0]?.yesPrice ?? null,
      best_ask_units: asks[0]?.yesPrice ?? null,
      ...this.#candles.columnsAt(this.#minute),
    });
  }

  #emitSignal(): void {
    const signal = this.#signals.shift();
    if (signal !== undefined) this.emit('signals', { ...signal.row, prob_after_half_units: this.probabilityHalf });
  }

  #emitLevels(side: 'bid' | 'ask'): void {
    const { marketId: market_id } = this.book;
    for (const { priceUnits: yes_price_units, quantity, orders } of levelsOf(this.book, side)) {
      this.emit('book_levels', { market_id, side, yes_price_units, quantity, orders });
    }
  }
}

/** The events after which `market_records` gets a row. */
const RECORDED: ReadonlySet<JudgedEvent['type']> = new Set([
  'MarketListed',
  'MarketAmended',
  'MarketActivated',
  'MarketPaused',
  'MarketClosed',
  'MarketResolved',
  'MarketVoided',
]);

/** A signal's row without the market's later probabilities. */
export function signalRow(event: EventOf<'SignalRecorded'>, { id, seq }: EventPosition): Row {
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
    prob_before_half_units: null,
    prob_after_half_units: null,
    interpolated: false,
    at_ms: event.at,
  };
}

/** Upper case in Unicode's compatibility composition, which makes texts equal in any case. */
const searched = (text: string): string => text.normalize('NFKC').toUpperCase().normalize('NFKC');
