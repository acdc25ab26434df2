import type { ExchangeEvent, OrderPlaced, OrderReplaced } from '../events.ts';
import { cashPerShare, purchaseUnits } from '../fill-moves.ts';
import { costRemoved } from '../money.ts';
import { SHARE_UNITS, inOwnTerms } from '../vocabulary.ts';
import type { Account, Position } from '../state/account.ts';
import type { BookSide, Level, Order } from '../state/book.ts';
import type { FillKind, Outcome, Side } from '../vocabulary.ts';

/** The reason why a walk ended before the wanted quantity was found, in the order in which the reasons are checked. */
export type WalkEnd = 'complete' | 'depth' | 'budget' | 'fill_limit' | 'self_trade';

/** The result of matching an incoming order against the book. */
export interface Walk {
  readonly end: WalkEnd;
  /** The number of resting orders that the walk fills, the last one perhaps in part. */
  readonly fills: number;
  readonly quantity: number;
  /** A buyer's cost, or a seller's proceeds. */
  readonly costUnits: number;
  readonly worstUnits: number;
}

/** The result when no resting order is within the limit. This is the common case, so it allocates no object. */
const NOTHING: Walk = { end: 'depth', fills: 0, quantity: 0, costUnits: 0, worstUnits: 0 };

/** More shares than any book has, and small enough to stay a machine integer. */
export const ALL_SHARES = 1_000_000_000;
export const NO_BUDGET = -1;

/**
 * Walks the opposite side from its best level, oldest order first, without changing it. Stops where
 *
 * - all of `wanted` is found (complete);
 * - the next order bids less than `floorUnits`, or there is none (depth);
 * - the rest of `budgetUnits` buys no share of the next order (budget);
 * - `fillsMax` orders are filled (fill_limit);
 * - the next order has the same owner (self_trade).
 */
export function walk(
  opposite: BookSide,
  floorUnits: number,
  side: Side,
  wanted: number,
  budgetUnits: number,
  owner: Account,
  fillsMax: number,
): Walk {
  const best = opposite.best;
  if (best === null || best.priceUnits < floorUnits) return NOTHING;
  let fills = 0;
  let quantity = 0;
  let costUnits = 0;
  let worstUnits = 0;
  let end: WalkEnd = 'depth';
  let level: Level | null = best;
  levels: while (level !== null && level.priceUnits >= floorUnits) {
    // A level bids for the outcome opposite to a buy: its complement to $1 is what the buyer pays.
    const priceUnits = side === 'buy' ? SHARE_UNITS - level.priceUnits : level.priceUnits;
    const shareUnits = Math.abs(cashPerShare(side, priceUnits));
    for (let maker: Order | null = level.head; maker !== null; maker = maker.next) {
      let take = wanted - quantity;
      if (budgetUnits >= 0) {
        const affordable = Math.floor((budgetUnits - costUnits) / shareUnits);
        if (affordable < take) {
          take = affordable;
          if (take === 0) {
            end = 'budget';
            break levels;
          }
        }
      }
      if (fills === fillsMax) {
        end = 'fill_limit';
        break levels;
      }
      if (maker.position.owner === owner) {
        end = 'self_trade';
        break levels;
      }
      if (maker.remaining < take) take = maker.remaining;
      fills += 1;
      quantity += take;
      costUnits += take * shareUnits;
      worstUnits = shareUnits;
      if (quantity === wanted) {
        end = 'complete';
        break levels;
      }
    }
    level = opposite.worse(level);
  }
  return { end, fills, quantity, costUnits, worstUnits };
}

/** A position's shares of one outcome and their cost, after the sales of this decision so far. */
interface Held {
  shares: number;
  costUnits: number;
}

function held(position: Position, outcome: Outcome): Held {
  return outcome === 'yes'
    ? { shares: position.yes, costUnits: position.yesCostUnits }
    : { shares: position.no, costUnits: position.noCostUnits };
}

function sell(from: Held, quantity: number): number {
  const cost = costRemoved(from.costUnits, from.shares, quantity);
  from.shares -= quantity;
  from.costUnits -= cost;
  return cost;
}

/** The shares that each seller has left in one decision; most decisions have one seller or none. */
class RemainingShares {
  #first: Position | null = null;
  #firstHeld: Held | null = null;
  #others: Map<Position, Held> | null = null;

  of(position: Position, outcome: Outcome): Held {
    if (this.#firstHeld !== null && this.#first === position) return this.#firstHeld;
    let found = this.#others?.get(position);
    if (found === undefined) {
      found = held(position, outcome);
      if (this.#firstHeld === null) {
        this.#first = position;
        this.#firstHeld = found;
      } else {
        this.#others ??= new Map();
        this.#others.set(position, found);
      }
    }
    return found;
  }
}

/** The event of an order that enters the book; `fillQuantity` shares of the order fill at once. */
export type IncomingOrder = OrderPlaced | OrderReplaced;

/**
 * Appends the OrderFilled events of an incoming order for its `fillQuantity` shares, starting at the best price of the
 * opposite side. `remaining` shares of it were not filled before; `position` is the taker's, null if it has none yet.
 * Several sales of one account in one decision each take their cost off what the earlier sales left.
 */
export function pushFills(
  events: ExchangeEvent[],
  incoming: IncomingOrder,
  remaining: number,
  opposite: BookSide,
  position: Position | null,
): void {
  const takerSells = incoming.side === 'sell';
  const takerHeld = takerSells && position !== null ? held(position, incoming.outcome) : null;
  let sellers: RemainingShares | null = null;
  let takerRemaining = remaining;
  let left = incoming.fillQuantity;
  for (let level: Level | null = opposite.best; level !== null && left > 0; level = opposite.worse(level)) {
    const yesPriceUnits = inOwnTerms(opposite.outcome, level.priceUnits);
    const takerPriceUnits = inOwnTerms(incoming.outcome, yesPriceUnits);
    for (let maker: Order | null = level.head; maker !== null && left > 0; maker = maker.next) {
      const quantity = maker.remaining < left ? maker.remaining : left;
      left -= quantity;
      takerRemaining -= quantity;
      let makerCostUnits: number;
      if (maker.side === 'buy') {
        makerCostUnits = purchaseUnits(maker.priceUnits, quantity);
      } else {
        // A decision with a single seller need not track the seller's remaining shares.
        sellers ??= left === 0 ? null : new RemainingShares();
        const makerHeld = sellers?.of(maker.position, maker.outcome) ?? held(maker.position, maker.outcome);
        makerCostUnits = sell(makerHeld, quantity);
      }
      events.push({
        at: incoming.at,
        kind: fillKind(incoming.side, maker.side),
        makerAccountId: maker.position.account.id,
        makerCostUnits,
        makerOrderId: maker.id,
        makerOutcome: maker.outcome,
        makerRemaining: maker.remaining - quantity,
        makerSide: maker.side,
        marketId: incoming.marketId,
        quantity,
        takerAccountId: incoming.accountId,
        takerCostUnits: takerHeld === null ? purchaseUnits(takerPriceUnits, quantity) : sell(takerHeld, quantity),
        takerOrderId: incoming.orderId,
        takerOutcome: incoming.outcome,
        takerRemaining,
        takerSide: incoming.side,
        type: 'OrderFilled',
        yesPriceUnits,
      });
    }
  }
}

function fillKind(a: Side, b: Side): FillKind {
  return a !== b ? 'transfer' : a === 'buy' ? 'mint' : 'merge';
}
