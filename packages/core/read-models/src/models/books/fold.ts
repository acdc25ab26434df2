import type { ExchangeEvent } from '@paper/exchange/events';
import { AddedRows } from '../../engine/added-rows.ts';
import type { FoldSettings, ModelRows } from '../../engine/model.ts';
import type { Plan } from '../../engine/plan.ts';
import type { BookSide } from '../markets/book-side.ts';
import type { Markets } from '../markets/fold.ts';
import type { MarketFold } from '../markets/market-fold.ts';
import { model } from '../model.ts';
import { BOOK_EVERY, bookText } from './book-text.ts';
import { BOOK_LEVELS, MARKET_HISTORY } from './table.ts';
import type { HistoryRow, LevelRow } from './table.ts';

export class Books implements ModelRows {
  readonly events = new Map<MarketFold, number>();
  readonly #history: AddedRows<HistoryRow>;
  #levels: LevelRow[] = [];

  constructor(
    private readonly markets: Markets,
    settings: FoldSettings,
  ) {
    this.#history = new AddedRows(MARKET_HISTORY, settings);
  }

  record(market: MarketFold, event: ExchangeEvent): void {
    const events = (this.events.get(market) ?? 0) + 1;
    this.events.set(market, events);
    // Builds the row even if it is not written, since this also resets the changes that the sides have collected.
    this.#history.add(historyRow(market, events, event));
  }

  endBatch(): void {
    for (const market of this.markets.changed) {
      this.#addLevels(market.id, 'bid', market.bids);
      this.#addLevels(market.id, 'ask', market.asks);
      if (market.ended) this.events.delete(market);
    }
  }

  planAdded(plan: Plan): void {
    this.#history.planAdded(plan);
  }

  planChanged(plan: Plan): void {
    plan.merge(
      BOOK_LEVELS,
      this.#levels,
      `when matched and r.quantity = 0 then delete
       when matched then update set quantity = r.quantity, orders = r.orders
       when not matched and r.quantity > 0 then insert (market_id, side, yes_price_units, quantity, orders)
         values (r.market_id, r.side, r.yes_price_units, r.quantity, r.orders)`,
    );
    this.#levels = [];
  }

  #addLevels(market_id: string, side: 'bid' | 'ask', book: BookSide): void {
    for (const { priceUnits, quantity, orders } of book.takeChanged()) {
      this.#levels.push({ market_id, side, yes_price_units: priceUnits, quantity, orders });
    }
  }
}

export const books = model<Books, { readonly markets: Markets; readonly books: Books }>({
  tables: [BOOK_LEVELS, MARKET_HISTORY],
  create: ({ markets }, settings) => new Books(markets, settings),
  async load(own, db, { rows: { markets } }) {
    const last = await db
      .selectFrom('markets')
      .crossJoinLateral((eb) =>
        eb
          .selectFrom('market_history')
          .select('event_number as events')
          .whereRef('market_id', '=', 'markets.id')
          .orderBy('seq', 'desc')
          .limit(1)
          .as('last'),
      )
      .select(['markets.id', 'last.events'])
      .where('markets.phase', 'not in', ['resolved', 'void'])
      .execute();
    for (const { id, events } of last) {
      const market = markets.live.get(id);
      if (market !== undefined) own.events.set(market, events);
    }
  },
  on: {},
  afterEach(event, _position, { books, markets }) {
    if (markets.current !== null) books.record(markets.current, event);
  },
});

/** The row of a market just after the event of this number. Must be called once for each event. */
function historyRow(market: MarketFold, eventNumber: number, event: ExchangeEvent): HistoryRow {
  const left = market.bids.takeLeft() ?? market.asks.takeLeft();
  const bid = market.bids.takeLast();
  const ask = market.asks.takeLast();
  return {
    market_id: market.id,
    seq: market.seq,
    event_number: eventNumber,
    at_ms: event.at,
    phase: market.phase,
    probability_half_units: market.probabilityHalfUnits(),
    last_trade_units: market.lastTradeUnits,
    title: 'title' in event ? event.title : null,
    bid_price_units: bid?.priceUnits ?? null,
    bid_quantity: bid?.quantity ?? null,
    bid_orders: bid?.orders ?? null,
    ask_price_units: ask?.priceUnits ?? null,
    ask_quantity: ask?.quantity ?? null,
    ask_orders: ask?.orders ?? null,
    left_price_units: left?.priceUnits ?? null,
    left_quantity: left?.quantity ?? null,
    left_orders: left?.orders ?? null,
    book: eventNumber % BOOK_EVERY === 0 ? bookText(market.bids.levels(), market.asks.levels()) : null,
  };
}
