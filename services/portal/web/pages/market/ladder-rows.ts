import type { OrderBody } from '@paper/contracts/orders';
import { inOwnTerms, parseUnits } from '@paper/contracts/units';
import type { LiveBookView, LiveLevel } from '../../live/live-book.ts';
import { isOpen } from '../../data/orders/open-orders.ts';

export type LadderOrder = Pick<OrderBody, 'id' | 'outcome' | 'side' | 'price' | 'quantity' | 'filledQty' | 'status'>;

/** A row of the order book, in terms of the shown outcome. */
export interface LadderRow {
  readonly priceUnits: number;
  readonly quantity: number;
  /** The shares of this and all better levels. */
  readonly total: number;
  /** `total` as a fraction of the ladder's largest, 0 to 1. */
  readonly depth: number;
  /** The part of the shares that the person's own orders offer. */
  readonly own: number;
}

/** A book in terms of YES, the best level first. */
export type Book = Pick<LiveBookView, 'bids' | 'asks'>;

/** The best rows of a book in one outcome's terms: a bid for YES at p is an ask of NO at 1 − p. */
export function ladderOf(book: Book, outcome: 'yes' | 'no', orders: readonly LadderOrder[], rows: number) {
  const yesOwn = ownShares(orders);
  const isYes = outcome === 'yes';
  const cut = (levels: readonly LiveLevel[], own: ReadonlyMap<number, number>) =>
    levels.slice(0, rows).map(({ price, quantity }) => {
      const yesUnits = priceUnitsOf(price);
      return { priceUnits: inOwnTerms(outcome, yesUnits), quantity, own: Math.min(own.get(yesUnits) ?? 0, quantity) };
    });
  const bids = withTotals(isYes ? cut(book.bids, yesOwn.bids) : cut(book.asks, yesOwn.asks));
  const asks = withTotals(isYes ? cut(book.asks, yesOwn.asks) : cut(book.bids, yesOwn.bids));
  const deepest = Math.max(bids.at(-1)?.total ?? 0, asks.at(-1)?.total ?? 0);
  const withDepth = (row: Omit<LadderRow, 'depth'>): LadderRow => ({ ...row, depth: row.total / deepest });
  const [bid, ask] = [bids[0], asks[0]];
  return {
    bids: bids.map(withDepth),
    asks: asks.map(withDepth),
    spreadUnits: bid === undefined || ask === undefined ? null : ask.priceUnits - bid.priceUnits,
  };
}

/** An order's price in YES terms, and its side in the YES book. */
export function inYesTerms({ outcome, side, price }: Pick<OrderBody, 'outcome' | 'side' | 'price'>) {
  const isBid = (side === 'buy') === (outcome === 'yes');
  return { side: isBid ? 'bid' : 'ask', priceUnits: inOwnTerms(outcome, priceUnitsOf(price)) } as const;
}

/** Converts a price to units of $0.0001, the finest step of any price. */
function priceUnitsOf(price: number): number {
  const units = parseUnits(price);
  if (units === null) throw new RangeError(`${price} is finer than $0.0001`);
  return units;
}

function ownShares(orders: readonly LadderOrder[]) {
  const shares = { bids: new Map<number, number>(), asks: new Map<number, number>() };
  for (const order of orders.filter(isOpen)) {
    const { side, priceUnits } = inYesTerms(order);
    const levels = side === 'bid' ? shares.bids : shares.asks;
    levels.set(priceUnits, (levels.get(priceUnits) ?? 0) + order.quantity - order.filledQty);
  }
  return shares;
}

function withTotals<T extends { readonly quantity: number }>(rows: readonly T[]): (T & { readonly total: number })[] {
  let total = 0;
  return rows.map((row) => {
    total += row.quantity;
    return { ...row, total };
  });
}
