import type { ExchangeEvent, MarketAmended, MarketListed, MarketResolved, MarketVoided } from '@paper/exchange/events';
import type { Phase } from '@paper/exchange/vocabulary';
import type { EventPosition, ModelRows } from '../../engine/model.ts';
import type { Plan } from '../../engine/plan.ts';
import type { ReadDb } from '../tables.ts';
import { model } from '../model.ts';
import { MarketFold } from './market-fold.ts';
import { searchForm } from './search-form.ts';
import { MARKETS } from './table.ts';
import type { MarketRow } from './table.ts';

interface Listing {
  readonly event: MarketListed;
  readonly at: EventPosition;
}

/** The markets that have not ended, with their books. */
export class Markets implements ModelRows {
  readonly live = new Map<string, MarketFold>();
  /** The markets that had events in the batch. */
  readonly changed = new Set<MarketFold>();
  /** The market of the event that is applied; null for an event of no market. */
  current: MarketFold | null = null;
  readonly #listed = new Map<MarketFold, Listing>();
  readonly #amended = new Map<MarketFold, MarketAmended>();

  /** The market of an applied event whose type always has one. */
  get market(): MarketFold {
    if (this.current === null) throw new RangeError('an event of no market');
    return this.current;
  }

  /** Prepares for an event. @throws RangeError when its market is missing, or is listed a second time. */
  enter(event: ExchangeEvent, at: EventPosition): void {
    const id = 'marketId' in event ? event.marketId : null;
    if (id === null) {
      this.current = null;
      return;
    }
    if (event.type === 'MarketListed') this.#list(event, at);
    if (this.current?.id === id) {
      this.current.seq = at.seq;
      return;
    }
    const market = this.live.get(id);
    if (market === undefined) throw new RangeError(`event ${at.seq}: no live market ${id}`);
    market.seq = at.seq;
    this.changed.add(market);
    this.current = market;
  }

  amend(event: MarketAmended): void {
    this.#amended.set(this.market, event);
    this.market.name = { ...this.market.name, title: event.title };
  }

  /** Resets the batch, and drops the markets that have ended. Returns the markets that had events in the batch. */
  takeChanged(): readonly MarketFold[] {
    const changed = [...this.changed];
    for (const market of changed) if (market.ended) this.live.delete(market.id);
    this.changed.clear();
    this.current = null;
    this.#listed.clear();
    this.#amended.clear();
    return changed;
  }

  planChanged(plan: Plan): void {
    const changed = [...this.changed];
    plan.insert(
      MARKETS,
      [...this.#listed].map(([market, listing]) => marketRow(listing, market)),
    );
    plan.change(
      MARKETS,
      changed.filter((market) => !this.#listed.has(market)).map((market) => ({ id: market.id, ...market.figures() })),
    );
    plan.change(MARKETS, [...this.#amended.values()].map(amendment));
    this.takeChanged();
  }

  #list(event: MarketListed, at: EventPosition): void {
    const { companySlug, marketId, priorUnits, ticker, title } = event;
    if (this.live.has(marketId)) throw new RangeError(`market ${marketId} is listed already`);
    const market = new MarketFold(marketId, priorUnits, { companySlug, ticker, title });
    this.live.set(marketId, market);
    this.#listed.set(market, { event, at });
  }
}

interface Rows {
  readonly markets: Markets;
}

/** Handles an event by which its market enters a phase. */
const entering =
  (phase: Phase) =>
  (_event: ExchangeEvent, _at: EventPosition, { markets }: Rows): void => {
    markets.market.phase = phase;
  };

export const markets = model<Markets, Rows>({
  tables: [MARKETS],
  create: () => new Markets(),
  async load({ live }, db) {
    for (const market of await loadMarkets(db)) live.set(market.id, market);
  },
  beforeEach: (event, at, { markets }) => markets.enter(event, at),
  on: {
    MarketListed: ({ phase }, _at, { markets }) => {
      markets.market.phase = phase;
    },
    MarketAmended: (event, _at, { markets }) => markets.amend(event),
    MarketActivated: entering('active'),
    MarketPaused: entering('paused'),
    MarketClosed: entering('closed'),
    OrderPlaced: (event, _at, { markets }) => markets.market.place(event),
    OrderReplaced: (event, _at, { markets }) => markets.market.replace(event),
    OrderAmended: (event, _at, { markets }) => markets.market.amend(event),
    OrderFilled: (event, _at, { markets }) => markets.market.fill(event),
    OrderCancelled: (event, _at, { markets }) => {
      if (event.resting) markets.market.changeLevel(event, -event.quantity, -1);
    },
    SharesMerged: ({ quantity }, _at, { markets }) => {
      markets.market.openInterestPairs -= quantity;
    },
    MarketResolved: (event, _at, { markets }) => decide(markets.market, event),
    MarketVoided: (event, _at, { markets }) => decide(markets.market, event),
    MarketSettled: (event, _at, { markets: { market } }) => {
      market.phase = market.resolvedOutcome === null ? 'void' : 'resolved';
      const { cancelledOrders, paidUnits, settledAccounts } = event;
      market.settlement = { cancelledOrders, paidUnits, settledAccounts };
    },
  },
});

function decide(market: MarketFold, event: MarketResolved | MarketVoided): void {
  market.beforeHalfUnits = market.probabilityHalfUnits();
  market.phase = 'settling';
  market.resolvedOutcome = event.type === 'MarketVoided' ? null : event.outcome;
  market.settlePriceUnits = event.type === 'MarketVoided' ? event.priceUnits : event.outcome === 'yes' ? 10_000 : 0;
  market.resolvedAtMs = event.at;
  // A dollar for each pair has moved into the settlement pool, so no pair is left.
  market.openInterestPairs = 0;
}

/** Loads the markets that have not ended, from their rows and the levels of their books. */
export async function loadMarkets(db: ReadDb): Promise<readonly MarketFold[]> {
  const rows = await db.selectFrom('markets').selectAll().where('phase', 'not in', ['resolved', 'void']).execute();
  const markets = new Map(rows.map((row) => [row.id, MarketFold.of(row)]));
  for (const level of await db.selectFrom('book_levels').selectAll().execute()) {
    const market = markets.get(level.market_id);
    const side = level.side === 'bid' ? market?.bids : market?.asks;
    side?.load({ priceUnits: level.yes_price_units, quantity: level.quantity, orders: level.orders });
  }
  return [...markets.values()];
}

/** A market's row with its figures at the end of the batch that lists it. */
function marketRow({ event, at: { seq, id } }: Listing, market: MarketFold): MarketRow {
  return {
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
    created_seq: seq,
    listing_id: id,
    title_search: searchForm(event.title),
    names_search: searchForm(`${event.ticker}\n${event.companySlug}`),
    ...market.figures(),
  };
}

function amendment(event: MarketAmended): Partial<MarketRow> {
  return {
    id: event.marketId,
    title: event.title,
    title_search: searchForm(event.title),
    description: event.description,
    citation_url: event.citationUrl,
    drivers: event.drivers,
    company_impact: event.companyImpact,
    closes_at_ms: event.closesAt,
  };
}
