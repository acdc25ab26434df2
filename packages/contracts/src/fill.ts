import { z } from 'zod';
import { outcome } from './market.ts';
import { count, money } from './numbers.ts';
import { side } from './order.ts';
import { marketNameBody, PortfolioMarket, type MarketNameView } from './portfolio.ts';
import { fillKind } from './recent-trade.ts';
import { timestamp } from './text.ts';
import { dollars, iso, UNITS_PER_DOLLAR } from './units.ts';

export const Fill = z
  .strictObject({
    id: z.string().meta({ description: "The trade's, the same for both of its sides: of its event in the journal." }),
    seq: count.meta({ description: 'Journal sequence of its event.' }),
    orderId: z.string().meta({ description: "The account's own order." }),
    marketId: z.string(),
    side,
    outcome,
    role: z.enum(['maker', 'taker']).meta({ description: 'maker: the order rested; taker: it came in.' }),
    price: money.meta({ description: "In the terms of the order's outcome." }),
    yesPrice: money,
    quantity: count,
    notional: money.meta({ description: 'price × quantity: what a buyer paid, what a seller got.' }),
    kind: fillKind,
    createdAt: timestamp,
    market: PortfolioMarket,
  })
  .meta({ id: 'Fill' });

export const FillList = z.array(Fill);

export type FillBody = z.output<typeof Fill>;

/** One side of a trade, as the account that has it sees it. */
export interface FillView {
  readonly id: string;
  readonly seq: number;
  readonly accountId: string;
  readonly orderId: string;
  readonly marketId: string;
  readonly side: 'buy' | 'sell';
  readonly outcome: 'yes' | 'no';
  readonly role: 'maker' | 'taker';
  /** In the terms of the order's outcome. */
  readonly priceUnits: number;
  readonly quantity: number;
  readonly kind: 'transfer' | 'mint' | 'merge';
  readonly createdAt: number;
  readonly market: MarketNameView;
}

export function fillBody(view: FillView): FillBody {
  return {
    id: view.id,
    seq: view.seq,
    orderId: view.orderId,
    marketId: view.marketId,
    side: view.side,
    outcome: view.outcome,
    role: view.role,
    price: dollars(view.priceUnits),
    yesPrice: dollars(view.outcome === 'yes' ? view.priceUnits : UNITS_PER_DOLLAR - view.priceUnits),
    quantity: view.quantity,
    notional: dollars(view.priceUnits * view.quantity),
    kind: view.kind,
    createdAt: iso(view.createdAt),
    market: marketNameBody(view.market),
  };
}
