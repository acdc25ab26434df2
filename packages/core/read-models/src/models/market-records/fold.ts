import type { ExchangeEvent, MarketAmended, MarketListed } from '@paper/exchange/events';
import { AddedRows } from '../../engine/added-rows.ts';
import type { EventPosition } from '../../engine/model.ts';
import type { Markets } from '../markets/fold.ts';
import { model } from '../model.ts';
import { MARKET_RECORDS } from './table.ts';
import type { MarketRecordRow } from './table.ts';

interface Rows {
  readonly markets: Markets;
  readonly marketRecords: AddedRows<MarketRecordRow>;
}

const recordNamed = (event: MarketListed | MarketAmended, _at: EventPosition, rows: Rows): void => record(rows, event);
const recordPhase = (_event: ExchangeEvent, _at: EventPosition, rows: Rows): void => record(rows, null);

export const marketRecords = model<AddedRows<MarketRecordRow>, Rows>({
  tables: [MARKET_RECORDS],
  create: (_rows, settings) => new AddedRows(MARKET_RECORDS, settings),
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
  // Only the figures that the table has are written.
  marketRecords.add({
    ...market.figures(),
    market_id: market.id,
    title: named?.title ?? null,
    description: named?.description ?? null,
    citation_url: named?.citationUrl ?? null,
    closes_at_ms: named?.closesAt ?? null,
  });
}
