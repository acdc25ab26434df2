import { parseUnits } from '@paper/contracts/units';
import type { OrderBody } from '@paper/contracts/orders';
import type { Api, ApiAnswer, Requests } from 'paper-trading-client';
import { RetryLater } from './loop.ts';
import type { Holding } from './quotes.ts';

export type HouseClient = Requests<
  | 'amendOrder'
  | 'cancelOrder'
  | 'cancelOrders'
  | 'getPositions'
  | 'listFills'
  | 'listMarkets'
  | 'listOrders'
  | 'listRecentSignals'
  | 'placeOrder'
  | 'placeOrders'
>;

/** @throws RetryLater when the service answers with Retry-After. */
export function assertNotDelayed(answer: ApiAnswer<unknown>): void {
  if (answer.waitMs !== null) throw new RetryLater(answer.waitMs);
}

export function holdings({ positions }: Pick<Api.Positions, 'positions'>): Map<string, Holding> {
  return new Map(positions.map(({ marketId, yesShares, noShares }) => [marketId, { yes: yesShares, no: noShares }]));
}

/** A price in dollars as units of $0.0001. @throws Error when it is not a whole number of units. */
export function unitsOf(price: number): number {
  const units = parseUnits(price);
  if (units === null) throw new Error(`a price that is no whole number of units: ${price}`);
  return units;
}

export function isOpen({ status }: Pick<OrderBody, 'status'>): boolean {
  return status === 'open' || status === 'partial';
}
