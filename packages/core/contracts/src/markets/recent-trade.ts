import { FILL_KINDS } from '@paper/exchange/vocabulary';
import type { Outcome } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { answer, computed, described, object, same, time, units } from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { count, money } from '../numbers.ts';
import { dollars, inOwnTerms } from '../units.ts';
import { outcome, side, MarketName } from './market.ts';

export const fillKind = z
  .enum(FILL_KINDS)
  .describe(
    '`transfer`: shares move from a seller to a buyer. `mint`: a buyer of YES and a buyer of NO create pairs. `merge`: a seller of YES and a seller of NO end pairs.',
  );

interface Priced {
  readonly outcome: Outcome;
  readonly priceUnits: number;
}

/** The price of a trade in YES terms, in dollars. */
export const yesPrice = computed(money, ({ outcome: own, priceUnits }: Priced) => dollars(inOwnTerms(own, priceUnits)));

/** A field with the price × quantity of a trade. */
export function notional(description?: string) {
  return computed(
    described(money, description),
    ({ priceUnits, quantity }: { readonly priceUnits: number; readonly quantity: number }) =>
      dollars(priceUnits * quantity),
  );
}

/** A trade in terms of its taker, without the names of its market, so that it is one row of a table. */
export const Trade = answer('Trade', {
  id: same(z.string(), 'The id of the trade, and of its event in the journal.'),
  marketId: same(z.string()),
  seq: same(count, 'The journal sequence of the trade.'),
  outcome: same(outcome, "The outcome that the taker's order names."),
  side: same(side, 'Whether the taker bought or sold.'),
  price: units('priceUnits', "Dollars a share, in the terms of the taker's outcome."),
  yesPrice,
  quantity: same(count),
  notional: notional('Dollars: price × quantity.'),
  kind: same(fillKind),
  createdAt: time('createdAt'),
});

export const RecentTrade = answer('RecentTrade', { ...Trade.fields, market: object(MarketName) });

export type TradeView = ViewOf<typeof Trade>;
export type RecentTradeView = ViewOf<typeof RecentTrade>;
export type TradeBody = BodyOf<typeof Trade>;
export type RecentTradeBody = BodyOf<typeof RecentTrade>;

/** The columns of trades as CSV, in their order: the fields of a trade. */
export const TRADE_COLUMNS = Object.keys(Trade.fields) as readonly (keyof TradeBody)[];
