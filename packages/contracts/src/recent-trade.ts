import { z } from 'zod';
import { outcome } from './market.ts';
import { count, money } from './numbers.ts';
import { side } from './order.ts';
import { marketNameBody, PortfolioMarket, type MarketNameView } from './portfolio.ts';
import { timestamp } from './text.ts';
import { dollars, iso, UNITS_PER_DOLLAR } from './units.ts';

/** What a trade does to the number of shares. */
export const fillKind = z.enum(['transfer', 'mint', 'merge']).meta({
  description:
    'transfer: shares go from seller to buyer; mint: a buyer of YES and one of NO, pairs come into being; merge: a seller of YES and one of NO, pairs end.',
});

export const RecentTrade = z
  .strictObject({
    id: z.string().meta({ description: 'Of its event in the journal.' }),
    marketId: z.string(),
    seq: count.meta({ description: 'Journal sequence of its event.' }),
    outcome: outcome.meta({ description: "The taker's." }),
    side: side.meta({ description: "The taker's." }),
    price: money.meta({ description: "In the terms of the taker's outcome." }),
    yesPrice: money,
    quantity: count,
    notional: money.meta({ description: 'price × quantity.' }),
    kind: fillKind,
    createdAt: timestamp,
    market: PortfolioMarket,
  })
  .meta({ id: 'RecentTrade' });

export type RecentTradeBody = z.output<typeof RecentTrade>;

/** A fill as its taker saw it. */
export interface RecentTradeView {
  readonly id: string;
  readonly marketId: string;
  readonly seq: number;
  readonly outcome: 'yes' | 'no';
  readonly side: 'buy' | 'sell';
  /** In the terms of the taker's outcome. */
  readonly priceUnits: number;
  readonly quantity: number;
  readonly kind: 'transfer' | 'mint' | 'merge';
  readonly createdAt: number;
  readonly market: MarketNameView;
}

export function recentTradeBody(view: RecentTradeView): RecentTradeBody {
  return {
    id: view.id,
    marketId: view.marketId,
    seq: view.seq,
    outcome: view.outcome,
    side: view.side,
    price: dollars(view.priceUnits),
    yesPrice: dollars(view.outcome === 'yes' ? view.priceUnits : UNITS_PER_DOLLAR - view.priceUnits),
    quantity: view.quantity,
    notional: dollars(view.priceUnits * view.quantity),
    kind: view.kind,
    createdAt: iso(view.createdAt),
    market: marketNameBody(view.market),
  };
}
