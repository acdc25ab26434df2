import type { LedgerEntryBody } from '@paper/contracts/journal';
import { dollars, inOwnTerms, parseUnits } from '@paper/contracts/units';

/** The worth of one or more accounts after a movement. */
export interface EquityPoint {
  readonly seq: number;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** Dollars. */
  readonly cash: number;
  /** Dollars: cash, and shares at the price of the accounts' own last trade in each market. */
  readonly equity: number;
}

/**
 * Folds a ledger, oldest entry first, into a point for each sequence. The ledger has every movement of cash and shares,
 * and no price of anyone else's trades: so shares are valued at the accounts' own last trade in their market, and a
 * settlement gives them their last value.
 */
export class EquityFold {
  readonly points: EquityPoint[] = [];
  #cashUnits = 0;
  #sharesUnits = 0;
  readonly #markets = new Map<string, Holding>();

  take(entry: LedgerEntryBody): void {
    this.#cashUnits += unitsOf(entry.cash);
    if (entry.marketId !== null && entry.outcome !== null) this.#move(entry, entry.marketId, entry.outcome);
    const point = {
      seq: entry.seq,
      at: Date.parse(entry.createdAt),
      cash: dollars(this.#cashUnits),
      equity: dollars(this.#cashUnits + this.#sharesUnits),
    };
    if (this.points.at(-1)?.seq === entry.seq) this.points[this.points.length - 1] = point;
    else this.points.push(point);
  }

  #move({ price, shares, type }: LedgerEntryBody, marketId: string, outcome: 'yes' | 'no'): void {
    const before = this.#markets.get(marketId) ?? NOTHING;
    const after = {
      yes: before.yes + (outcome === 'yes' ? shares : 0),
      no: before.no + (outcome === 'no' ? shares : 0),
      // A merge pays $0.50 for a share of each side, which is no price of the market.
      yesUnits: type === 'OrderFilled' && price !== null ? yesUnitsOf(price, outcome) : before.yesUnits,
    };
    this.#sharesUnits += valueUnits(after) - valueUnits(before);
    if (after.yes === 0 && after.no === 0) this.#markets.delete(marketId);
    else this.#markets.set(marketId, after);
  }
}

interface Holding {
  readonly yes: number;
  readonly no: number;
  /** The price of YES in the accounts' last trade. */
  readonly yesUnits: number;
}

const NOTHING: Holding = { yes: 0, no: 0, yesUnits: 0 };

function valueUnits({ yes, no, yesUnits }: Holding): number {
  return yes * yesUnits + no * inOwnTerms('no', yesUnits);
}

function yesUnitsOf(price: number, outcome: 'yes' | 'no'): number {
  return inOwnTerms(outcome, unitsOf(price));
}

/** An amount of the ledger in units: a multiple of $0.0001, as its description says. */
function unitsOf(amount: number): number {
  const units = parseUnits(amount);
  if (units === null) throw new RangeError(`the ledger has an amount finer than $0.0001: ${amount}`);
  return units;
}

/** At most `count` points, thinned evenly; the first and the last stay. */
export function thinned(points: readonly EquityPoint[], count: number): readonly EquityPoint[] {
  if (points.length <= count) return points;
  const step = (points.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => points[Math.round(index * step)]).filter(
    (point) => point !== undefined,
  );
}
