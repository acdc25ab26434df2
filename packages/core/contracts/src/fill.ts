import { z } from 'zod';
import { outcome } from './market.ts';
import { count, money } from './numbers.ts';
import { side } from './order.ts';
import { PortfolioMarket } from './portfolio.ts';
import { fillKind, recentTradeBody } from './recent-trade.ts';
import type { RecentTradeView } from './recent-trade.ts';
import { timestamp } from './text.ts';

export const Fill = z
  .strictObject({
    id: z
      .string()
      .meta({ description: 'The id of the trade, the same for both of its sides, and of its event in the journal.' }),
    seq: count.meta({ description: 'The journal sequence of the trade.' }),
    orderId: z.string().meta({ description: "The id of the account's own order." }),
    marketId: z.string(),
    side,
    outcome,
    role: z
      .enum(['maker', 'taker'])
      .meta({ description: '`maker`: the order rested in the book. `taker`: the order met a resting one.' }),
    price: money.meta({ description: "Dollars a share, in the terms of the order's outcome." }),
    yesPrice: money,
    quantity: count,
    notional: money.meta({ description: 'price × quantity: the dollars that a buyer paid or a seller received.' }),
    kind: fillKind,
    createdAt: timestamp,
    market: PortfolioMarket,
  })
  .meta({ id: 'Fill' });

export const FillList = z.array(Fill);

export type FillBody = z.output<typeof Fill>;

/** A trade from the point of view of one of its two orders: `outcome`, `side` and `priceUnits` are that order's. */
export interface FillView extends RecentTradeView {
  readonly accountId: string;
  readonly orderId: string;
  readonly role: 'maker' | 'taker';
}

export function fillBody(view: FillView): FillBody {
  return { ...recentTradeBody(view), orderId: view.orderId, role: view.role };
}
