import { fillSides } from '@paper/exchange';
import type { FillSide } from '@paper/exchange';
import type { OrderFilled } from '@paper/exchange/events';
import type { EventPosition } from '../../engine/model.ts';
import type { Accounts } from '../accounts/fold.ts';
import type { Markets } from '../markets/fold.ts';
import { wholeMinute } from '../minute.ts';
import { model } from '../model.ts';
import type { Orders } from '../orders/fold.ts';
import type { Positions } from '../positions/fold.ts';
import { movedPosition } from '../positions/holdings.ts';
import { MovedRows } from '../positions/moved-rows.ts';
import { FILLS } from './table.ts';
import type { FillRow } from './table.ts';

interface Rows {
  readonly markets: Markets;
  readonly accounts: Accounts;
  readonly positions: Positions;
  readonly orders: Orders;
  readonly fills: MovedRows<FillRow>;
}

export const fills = model<MovedRows<FillRow>, Rows>({
  tables: [FILLS],
  create: (_rows, settings) => new MovedRows<FillRow>(FILLS, settings),
  on: {
    OrderFilled(event, at, rows) {
      const afterHalfUnits = rows.markets.market.probabilityHalfUnits();
      for (const side of fillSides(event)) applySide(event, at, rows, afterHalfUnits, side);
    },
  },
});

/** Applies what a fill moves for one of its two orders: cash, shares with their cost, the order's filled quantity. */
function applySide(
  event: OrderFilled,
  { seq, id }: EventPosition,
  { accounts, fills, markets: { market }, orders, positions }: Rows,
  afterHalfUnits: number,
  own: FillSide,
): void {
  const { quantity } = event;
  const cashUnits = accounts.trade(own.accountId, own.cashUnits, wholeMinute(event.at));
  const position = positions.move(market, own.accountId, own.outcome, own.shares, own.costUnits);
  orders.fill(own.orderId, quantity, Math.abs(own.cashUnits), own.remaining, seq);
  if (!fills.isWritten) return;
  const held = movedPosition(position.before, position);
  fills.add(
    {
      seq,
      role: own.role,
      id,
      account_id: own.accountId,
      order_id: own.orderId,
      market_id: market.id,
      side: own.side,
      outcome: own.outcome,
      price_units: own.priceUnits,
      yes_price_units: event.yesPriceUnits,
      quantity,
      kind: event.kind,
      prob_before_half_units: market.beforeHalfUnits,
      prob_after_half_units: afterHalfUnits,
      at_ms: event.at,
      cash_after_units: cashUnits,
      yes_shares_after: held.yes_shares,
      no_shares_after: held.no_shares,
      yes_cost_after_units: held.yes_cost_units,
      no_cost_after_units: held.no_cost_units,
    },
    positions,
  );
}
