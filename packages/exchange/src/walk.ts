import type { Account } from './account.ts';
import type { BookSide, Level, Order } from './book.ts';
import { SHARE_UNITS } from './money.ts';

/** Why a walk ended before it had all that was wanted, in the order in which it looks. */
export type WalkEnd = 'complete' | 'depth' | 'budget' | 'fill_limit' | 'self_trade';

/** The effect of an incoming order on the book. */
export interface Walk {
  readonly end: WalkEnd;
  /** Resting orders that it fills, wholly or (the last) in part. */
  readonly fills: number;
  readonly quantity: number;
  /** Σ own price × quantity, in units: a buyer's cost, a seller's proceeds. */
  readonly costUnits: number;
  /** The incoming order's own price of its last fill, 0 without one. */
  readonly worstUnits: number;
}

/** The result when nothing is within the limit. This is the common case, so it allocates no object. */
const NOTHING: Walk = { end: 'depth', fills: 0, quantity: 0, costUnits: 0, worstUnits: 0 };

/** More than any book holds, and small enough to stay a machine integer. */
export const ALL_SHARES = 1_000_000_000;
export const NO_BUDGET = -1;

/**
 * Walks the opposite side from its best level, oldest order first, without touching it. Stops where
 * - all of `want` is there (complete);
 * - the next order bids less than `floorUnits`, or there is none (depth);
 * - what is left of `budgetUnits` buys no share of the next order (budget);
 * - `fillsMax` orders are filled (fill_limit);
 * - the next order is of the same owner (self_trade).
 */
export function walk(
  opposite: BookSide,
  floorUnits: number,
  buying: boolean,
  wanted: number,
  budgetUnits: number,
  owner: Account,
  fillsMax: number,
): Walk {
  const best = opposite.best;
  if (best === null || best.priceUnits < floorUnits) {
    return NOTHING;
  }
  let fills = 0;
  let quantity = 0;
  let costUnits = 0;
  let worstUnits = 0;
  let end: WalkEnd = 'depth';
  let level: Level | null = best;
  levels: while (level !== null && level.priceUnits >= floorUnits) {
    const price = buying ? SHARE_UNITS - level.priceUnits : level.priceUnits;
    for (let maker: Order | null = level.head; maker !== null; maker = maker.next) {
      let take = wanted - quantity;
      if (budgetUnits >= 0) {
        const affordable = Math.floor((budgetUnits - costUnits) / price);
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
      if (maker.remaining < take) {
        take = maker.remaining;
      }
      fills += 1;
      quantity += take;
      costUnits += take * price;
      worstUnits = price;
      if (quantity === wanted) {
        end = 'complete';
        break levels;
      }
    }
    level = opposite.worse(level);
  }
  return { end, fills, quantity, costUnits, worstUnits };
}
