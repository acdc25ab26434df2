import type { OrderFilled } from './events.ts';
import { inOwnTerms } from './vocabulary.ts';
import type { FillKind, Outcome, Side } from './vocabulary.ts';

/**
 * The amounts that a fill moves, in whole units and shares: decisions check and reserve them, the state and the read
 * models apply them. The auditor has its own definition, since it shares no code with the exchange.
 */

/** The changes that a fill makes to the account of one of its two orders; negative for what leaves the account. */
export interface FillMoves {
  readonly cashUnits: number;
  readonly costUnits: number;
  readonly shares: number;
}

/** One order's side of a fill, with the amounts that the fill moves for this order. */
export interface FillSide extends FillMoves {
  readonly accountId: string;
  readonly orderId: string;
  readonly outcome: Outcome;
  readonly priceUnits: number;
  readonly remaining: number;
  readonly role: 'maker' | 'taker';
  readonly side: Side;
}

/** The cash that a fill moves for each share: a seller gets the price, a buyer pays it. There is no fee. */
export function cashPerShare(side: Side, priceUnits: number): number {
  return side === 'buy' ? -priceUnits : priceUnits;
}

/** The cost of this many shares at this price of their outcome. */
export function purchaseUnits(priceUnits: number, quantity: number): number {
  return -cashPerShare('buy', priceUnits) * quantity;
}

/** The money that resting shares of an order reserve. A sell order reserves the shares themselves. */
export function reservedUnits(side: Side, priceUnits: number, quantity: number): number {
  return side === 'buy' ? purchaseUnits(priceUnits, quantity) : 0;
}

/** The complete pairs of shares that a fill creates; negative for pairs that it ends. */
export function pairsMoved({ kind, quantity }: { readonly kind: FillKind; readonly quantity: number }): number {
  return kind === 'transfer' ? 0 : kind === 'mint' ? quantity : -quantity;
}

/** The amounts that a fill moves for the account of the resting order. */
export function makerMoves(fill: OrderFilled): FillMoves {
  return moves(fill.makerSide, inOwnTerms(fill.makerOutcome, fill.yesPriceUnits), fill.quantity, fill.makerCostUnits);
}

/** The amounts that a fill moves for the account of the incoming order. */
export function takerMoves(fill: OrderFilled): FillMoves {
  return moves(fill.takerSide, inOwnTerms(fill.takerOutcome, fill.yesPriceUnits), fill.quantity, fill.takerCostUnits);
}

function moves(side: Side, priceUnits: number, quantity: number, costUnits: number): FillMoves {
  const cashUnits = cashPerShare(side, priceUnits) * quantity;
  return side === 'buy'
    ? { cashUnits, costUnits, shares: quantity }
    : { cashUnits, costUnits: -costUnits, shares: -quantity };
}

/** Both sides of a fill, the maker's first. Called for each fill: object literals are faster than a spread. */
export function fillSides(fill: OrderFilled): readonly [maker: FillSide, taker: FillSide] {
  const maker = makerMoves(fill);
  const taker = takerMoves(fill);
  return [
    {
      accountId: fill.makerAccountId,
      cashUnits: maker.cashUnits,
      costUnits: maker.costUnits,
      orderId: fill.makerOrderId,
      outcome: fill.makerOutcome,
      priceUnits: inOwnTerms(fill.makerOutcome, fill.yesPriceUnits),
      remaining: fill.makerRemaining,
      role: 'maker',
      shares: maker.shares,
      side: fill.makerSide,
    },
    {
      accountId: fill.takerAccountId,
      cashUnits: taker.cashUnits,
      costUnits: taker.costUnits,
      orderId: fill.takerOrderId,
      outcome: fill.takerOutcome,
      priceUnits: inOwnTerms(fill.takerOutcome, fill.yesPriceUnits),
      remaining: fill.takerRemaining,
      role: 'taker',
      shares: taker.shares,
      side: fill.takerSide,
    },
  ];
}
