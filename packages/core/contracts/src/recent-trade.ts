import { FILL_KINDS } from '@paper/exchange/vocabulary';
import type { FillKind, Outcome, Side } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { outcome } from './market.ts';
import { count, money } from './numbers.ts';
import { side } from './order.ts';
import { marketNameBody, PortfolioMarket } from './portfolio.ts';
import type { MarketNameView } from './portfolio.ts';
import { timestamp } from './text.ts';
import { dollars, iso, UNITS_PER_DOLLAR } from './units.ts';

/** How a trade changes the number of shares. */
export const fillKind = z.enum(FILL_KINDS).meta({
  description:
    '`transfer`: shares move from a seller to a buyer. `mint`: a buyer of YES and a buyer of NO create pairs. `merge`: a seller of YES and a seller of NO end pairs.',
});

const TRADE_FIELDS = {
  id: z.string().meta({ description: 'The id of the trade, and of its event in the journal.' }),
  marketId: z.string(),
  seq: count.meta({ description: 'The journal sequence of the trade.' }),
  outcome: outcome.meta({ description: "The outcome that the taker's order names." }),
  side: side.meta({ description: 'Whether the taker bought or sold.' }),
  price: money.meta({ description: "Dollars a share, in the terms of the taker's outcome." }),
  yesPrice: money,
  quantity: count,
  notional: money.meta({ description: 'Dollars: price × quantity.' }),
  kind: fillKind,
  createdAt: timestamp,
};

/** A trade without the names of its market, so that it is one row of a table. */
export const Trade = z.strictObject(TRADE_FIELDS).meta({ id: 'Trade' });

export const RecentTrade = z.strictObject({ ...TRADE_FIELDS, market: PortfolioMarket }).meta({ id: 'RecentTrade' });

export type TradeBody = z.output<typeof Trade>;

/** The columns of trades as CSV, in their order: the fields of a trade. */
export const TRADE_COLUMNS = Object.keys(Trade.shape) as readonly (keyof TradeBody)[];

export type RecentTradeBody = z.output<typeof RecentTrade>;

/** A fill from the point of view of its taker, in units and milliseconds. */
export interface TradeView {
  readonly id: string;
  readonly marketId: string;
  readonly seq: number;
  readonly outcome: Outcome;
  readonly side: Side;
  /** The price of the taker's outcome. */
  readonly priceUnits: number;
  readonly quantity: number;
  readonly kind: FillKind;
  readonly createdAt: number;
}

/** A trade with the names of its market. */
export interface RecentTradeView extends TradeView {
  readonly market: MarketNameView;
}

export function tradeBody(view: TradeView): TradeBody {
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
  };
}

export function recentTradeBody(view: RecentTradeView): RecentTradeBody {
  return { ...tradeBody(view), market: marketNameBody(view.market) };
}
