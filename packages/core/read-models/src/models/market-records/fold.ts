import type { ExchangeEvent, MarketAmended, MarketListed } from '@paper/exchange/events';
import type { EventPosition, ModelRows } from '../../engine/model.ts';
import type { Plan } from '../../engine/plan.ts';
import type { Markets } from '../markets/fold.ts';
import { model } from '../model.ts';
import { MARKET_RECORDS } from './table.ts';
import type { MarketRecordRow } from './table.ts';

interface Rows {
  readonly markets: Markets;
  readonly marketRecords: MarketRecords;
}

export class MarketRecords implements ModelRows {
  #rows: MarketRecordRow[] = [];

  add(row: MarketRecordRow): void {
    this.#rows.push(row);
  }

  planAdded(plan: Plan): void {
    plan.insert(MARKET_RECORDS, this.#rows);
    this.#rows = [];
  }
}

const recordNamed = (event: MarketListed | MarketAmended, _at: EventPosition, rows: Rows): void => record(rows, event);
const recordPhase = (_event: ExchangeEvent, _at: EventPosition, rows: Rows): void => record(rows, null);

export const marketRecords = model<MarketRecords, Rows>({
  tables: [MARKET_RECORDS],
  create: () => new MarketRecords(),
  on: {
    MarketListed: recordNamed,
    MarketAmended: recordNamed,
    MarketActivated: recordPhase,
    MarketPaused: recordPhase,
    MarketClosed: recordPhase,
    MarketResolved: recordPhase,
    MarketVoided: recordPhase,
    OrderCancelled: (_event, _at, rows) => {
      const { asks, bids, phase } = rows.markets.market;
      if (phase === 'closed' && bids.bestUnits === null && asks.bestUnits === null) record(rows, null);
    },
  },
});

/** @param named the event with the market's texts and its closing time; null for all other events */
function record({ marketRecords, markets: { market } }: Rows, named: MarketListed | MarketAmended | null): void {
  const figures = market.figures();
  marketRecords.add({
    market_id: market.id,
    seq: market.seq,
    phase: market.phase,
    title: named?.title ?? null,
    description: named?.description ?? null,
    citation_url: named?.citationUrl ?? null,
    closes_at_ms: named?.closesAt ?? null,
    probability_half_units: figures.probability_half_units,
    volume_shares: figures.volume_shares,
    open_interest_pairs: figures.open_interest_pairs,
    best_bid_units: figures.best_bid_units,
    best_ask_units: figures.best_ask_units,
    last_trade_units: figures.last_trade_units,
  });
}
