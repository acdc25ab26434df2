import type { MarketView as ContractMarketView } from '@paper/contracts/markets';
import type { SettlementView } from '@paper/contracts/operator';
import type { OrderDetailView } from '@paper/contracts/orders';

/** The results of queries that are no views of @paper/contracts, in units and ms. */

/** A market with fields of its listing that the API's market omits, and with its settlement. */
export interface MarketView extends ContractMarketView {
  readonly drivers: readonly string[];
  readonly companyImpact: number;
  readonly priorUnits: number;
  /** The settlement; null until the run of the market's resolution or void has ended. */
  readonly settlement: SettlementView | null;
}

/** An order with the primary of its account, for a command about an order that is no longer in the exchange's state. */
export interface OwnedOrder extends OrderDetailView {
  /** The owner's primary; null if the owner is a primary itself. */
  readonly primaryAccountId: string | null;
}

/** The owner of a key, for a revocation after the exchange has removed the key from its state. */
export interface KeyOwner {
  readonly accountId: string;
  /** The owner's primary; null if the owner is a primary itself. */
  readonly primaryAccountId: string | null;
}

/**
 * A page of a list, and the position after which the next one begins; null at the end. Positions are sequences of the
 * journal, so they stay valid after a rebuild.
 */
export interface Page<T, Position = number> {
  readonly items: readonly T[];
  readonly next: Position | null;
}
