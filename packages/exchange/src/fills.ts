import type { BookSide, Level, Order } from './book.ts';
import type { Outcome, Side } from './commands.ts';
import type { ExchangeEvent, FillKind } from './events.ts';
import { SHARE_UNITS, costRemoved } from './money.ts';
import type { Position } from './position.ts';

/** One outcome's shares of a position and what they cost, as far as this decision has sold them. */
interface Held {
  shares: number;
  costUnits: number;
}

function held(position: Position, outcome: Outcome): Held {
  return outcome === 'yes'
    ? { shares: position.yes, costUnits: position.yesCostUnits }
    : { shares: position.no, costUnits: position.noCostUnits };
}

/** Takes shares off at their pro rata cost, which it returns. */
function sell(from: Held, quantity: number): number {
  const cost = costRemoved(from.costUnits, from.shares, quantity);
  from.shares -= quantity;
  from.costUnits -= cost;
  return cost;
}

/** Who takes, and how much of it will fill. */
export interface Taker {
  readonly accountId: string;
  readonly orderId: string;
  readonly outcome: Outcome;
  readonly side: Side;
  /** Null when the account has no place in the market yet; then it buys. */
  readonly position: Position | null;
  /** The order's final quantity. */
  readonly quantity: number;
  readonly fillQuantity: number;
}

/**
 * Appends the OrderFilled events of the first `fillQuantity` shares of the opposite side. Several sales of one account
 * in one decision each take their cost off what the ones before have left.
 */
export function pushFills(
  events: ExchangeEvent[],
  opposite: BookSide,
  taker: Taker,
  marketId: string,
  at: number,
): void {
  const takerSells = taker.side === 'sell';
  const takerHeld = takerSells && taker.position !== null ? held(taker.position, taker.outcome) : null;
  const oppositeIsYes = opposite.outcome === 'yes';
  let makersHeld: Map<Position, Held> | null = null;
  let takerRemaining = taker.quantity;
  let left = taker.fillQuantity;
  for (let level: Level | null = opposite.best; level !== null && left > 0; level = opposite.worse(level)) {
    const yesPriceUnits = oppositeIsYes ? level.priceUnits : SHARE_UNITS - level.priceUnits;
    const takerPriceUnits = takerSells ? level.priceUnits : SHARE_UNITS - level.priceUnits;
    for (let maker: Order | null = level.head; maker !== null && left > 0; maker = maker.next) {
      const quantity = maker.remaining < left ? maker.remaining : left;
      left -= quantity;
      takerRemaining -= quantity;
      let makerCostUnits: number;
      if (maker.side === 'buy') {
        makerCostUnits = maker.priceUnits * quantity;
      } else {
        makersHeld ??= new Map();
        let makerHeld = makersHeld.get(maker.position);
        if (makerHeld === undefined) {
          makerHeld = held(maker.position, maker.outcome);
          makersHeld.set(maker.position, makerHeld);
        }
        makerCostUnits = sell(makerHeld, quantity);
      }
      events.push({
        at,
        kind: fillKind(taker.side, maker.side),
        makerAccountId: maker.account.id,
        makerCostUnits,
        makerOrderId: maker.id,
        makerOutcome: maker.outcome,
        makerRemaining: maker.remaining - quantity,
        makerSide: maker.side,
        marketId,
        quantity,
        takerAccountId: taker.accountId,
        takerCostUnits: takerHeld === null ? takerPriceUnits * quantity : sell(takerHeld, quantity),
        takerOrderId: taker.orderId,
        takerOutcome: taker.outcome,
        takerRemaining,
        takerSide: taker.side,
        type: 'OrderFilled',
        yesPriceUnits,
      });
    }
  }
}

function fillKind(a: Side, b: Side): FillKind {
  return a !== b ? 'transfer' : a === 'buy' ? 'mint' : 'merge';
}
