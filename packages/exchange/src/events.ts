import type { OrderType, Outcome, Permission, Settings, Side, TimeInForce } from './commands.ts';

/**
 * What has happened. These names and fields ARE the stored format: a change needs a new version and an upcaster in
 * packages/journal. Every event is one flat object whose keys are built in alphabetical order, so that
 * JSON.stringify gives its RFC 8785 text. Money is whole units of $0.0001; times are whole milliseconds since 1970 UTC.
 *
 * Events carry what they did, so that a projection adds and never has to look anything up: the remainder of both
 * orders of a fill, the cost that a sale took off a position, the book level that a cancel took from.
 */

/** transfer: a share changes hands; mint: buy yes × buy no, a pair comes into being; merge: sell yes × sell no, one ends. */
export type FillKind = 'transfer' | 'mint' | 'merge';

export type CancelReason =
  | 'user'
  | 'ioc_remainder'
  | 'fok_unfillable'
  | 'self_trade'
  | 'no_liquidity'
  | 'fill_limit'
  | 'market_closed'
  | 'market_resolved';

export interface WriterEpochStarted {
  readonly at: number;
  readonly build: string;
  readonly epoch: number;
  readonly rulesVersion: number;
  readonly settings: Settings;
  readonly type: 'WriterEpochStarted';
  readonly writerId: string;
}

export interface AccountOpened {
  readonly accountId: string;
  readonly at: number;
  /** SHA-256 (hex) of 32 random bytes and the display name, which is in no event. */
  readonly nameDigest: string;
  readonly startingBalanceUnits: number;
  readonly type: 'AccountOpened';
}

export interface SubAccountOpened {
  readonly accountId: string;
  readonly at: number;
  /** SHA-256 (hex) of 32 random bytes and the display name, which is in no event. */
  readonly nameDigest: string;
  readonly permissions: readonly Permission[];
  readonly primaryAccountId: string;
  readonly startingBalanceUnits: number;
  readonly type: 'SubAccountOpened';
}

export interface AccountApproved {
  readonly accountId: string;
  readonly at: number;
  readonly type: 'AccountApproved';
}

/** `keyHash`: SHA-256 hex of the raw key. */
export interface ApiKeyIssued {
  readonly accountId: string;
  readonly at: number;
  readonly keyHash: string;
  readonly keyId: string;
  readonly last4: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly type: 'ApiKeyIssued';
}

export interface ApiKeyRevoked {
  readonly accountId: string;
  readonly at: number;
  readonly keyId: string;
  readonly type: 'ApiKeyRevoked';
}

export interface MarketListed {
  readonly at: number;
  readonly bodyHash: string;
  readonly category: string;
  readonly citationUrl: string | null;
  readonly closesAt: number;
  readonly companyImpact: number;
  readonly companySlug: string;
  readonly description: string | null;
  readonly drivers: readonly string[];
  readonly marketId: string;
  readonly phase: 'active' | 'scheduled' | 'closed';
  readonly priorUnits: number;
  readonly sector: string;
  readonly settlementSource: string;
  readonly tickUnits: number;
  readonly ticker: string;
  readonly title: string;
  readonly type: 'MarketListed';
}

/** All six amendable fields, with their new values. */
export interface MarketAmended {
  readonly at: number;
  readonly citationUrl: string | null;
  readonly closesAt: number;
  readonly companyImpact: number;
  readonly description: string | null;
  readonly drivers: readonly string[];
  readonly marketId: string;
  readonly title: string;
  readonly type: 'MarketAmended';
}

export interface MarketActivated {
  readonly at: number;
  readonly marketId: string;
  readonly type: 'MarketActivated';
}

export interface MarketPaused {
  readonly at: number;
  readonly marketId: string;
  readonly type: 'MarketPaused';
}

/** Stops the market; the cancels of its resting orders follow in this decision and in the run after it. */
export interface MarketClosed {
  readonly at: number;
  readonly by: 'operator' | 'clock';
  readonly marketId: string;
  readonly type: 'MarketClosed';
}

/**
 * The incoming order, with what this decision will do to it: `fillQuantity` shares fill in the OrderFilled events
 * that follow, then `restQuantity` shares enter the book (after the last of those fills, at once if there are none),
 * and what is left of `quantity` is cancelled by the OrderCancelled that ends the decision.
 */
export interface OrderPlaced {
  readonly accountId: string;
  readonly at: number;
  readonly fillQuantity: number;
  readonly marketId: string;
  /** As requested; null where the order has none. */
  readonly notionalUnits: number | null;
  readonly orderId: string;
  readonly orderType: OrderType;
  readonly outcome: Outcome;
  /** The limit in the order's own outcome's terms; of a market order the bound that applied. */
  readonly priceUnits: number;
  readonly quantity: number;
  readonly restQuantity: number;
  readonly side: Side;
  readonly timeInForce: TimeInForce;
  readonly type: 'OrderPlaced';
}

/**
 * One resting order (maker) met the incoming one (taker) at the maker's price. Cost units are, for a buyer, what was
 * paid (own price × quantity) and, for a seller, the cost taken off the position: ⌊cost × quantity / shares⌋.
 */
export interface OrderFilled {
  readonly at: number;
  readonly kind: FillKind;
  readonly makerAccountId: string;
  readonly makerCostUnits: number;
  readonly makerOrderId: string;
  readonly makerOutcome: Outcome;
  /** Shares of the maker's order still resting after this fill. */
  readonly makerRemaining: number;
  readonly makerSide: Side;
  readonly marketId: string;
  readonly quantity: number;
  readonly takerAccountId: string;
  readonly takerCostUnits: number;
  readonly takerOrderId: string;
  readonly takerOutcome: Outcome;
  /** Shares of the taker's order (its final `quantity`) not yet filled after this fill. */
  readonly takerRemaining: number;
  readonly takerSide: Side;
  readonly type: 'OrderFilled';
  readonly yesPriceUnits: number;
}

export interface OrderCancelled {
  readonly accountId: string;
  readonly at: number;
  readonly marketId: string;
  readonly orderId: string;
  readonly outcome: Outcome;
  readonly priceUnits: number;
  /** Shares that were cancelled. */
  readonly quantity: number;
  readonly reason: CancelReason;
  /** True where those shares rested in the book; false for the unfilled rest of an incoming order. */
  readonly resting: boolean;
  readonly side: Side;
  readonly type: 'OrderCancelled';
}

/** Stops the market for good and moves $1 × pairs into its settlement pool. */
export interface MarketResolved {
  readonly at: number;
  readonly citationUrl: string | null;
  readonly headline: string | null;
  readonly marketId: string;
  readonly outcome: Outcome;
  readonly poolUnits: number;
  readonly source: string | null;
  readonly type: 'MarketResolved';
}

export interface MarketVoided {
  readonly at: number;
  readonly marketId: string;
  readonly poolUnits: number;
  /** The payout of one YES share; a NO share pays 10,000 minus this. */
  readonly priceUnits: number;
  readonly reason: string;
  readonly type: 'MarketVoided';
}

/** Settles one outcome of one position: its shares end, and the payout comes out of the pool. */
export interface PositionSettled {
  readonly accountId: string;
  readonly at: number;
  readonly costUnits: number;
  readonly marketId: string;
  readonly outcome: Outcome;
  readonly payoutUnits: number;
  readonly shares: number;
  readonly type: 'PositionSettled';
}

export interface MarketSettled {
  readonly at: number;
  readonly cancelledOrders: number;
  readonly marketId: string;
  readonly paidUnits: number;
  /** Accounts that held shares. */
  readonly settledAccounts: number;
  readonly type: 'MarketSettled';
}

export interface SignalRecorded {
  readonly at: number;
  readonly citationUrl: string;
  readonly confidence: number | null;
  readonly event: string | null;
  readonly externalId: string;
  readonly factValue: number | null;
  readonly fairProb: number | null;
  readonly freshnessMs: number | null;
  readonly headline: string;
  readonly marketId: string | null;
  readonly publishedAt: number;
  readonly source: string;
  readonly threshold: number | null;
  readonly type: 'SignalRecorded';
}

export type ExchangeEvent =
  | WriterEpochStarted
  | AccountOpened
  | SubAccountOpened
  | AccountApproved
  | ApiKeyIssued
  | ApiKeyRevoked
  | MarketListed
  | MarketAmended
  | MarketActivated
  | MarketPaused
  | MarketClosed
  | OrderPlaced
  | OrderFilled
  | OrderCancelled
  | MarketResolved
  | MarketVoided
  | PositionSettled
  | MarketSettled
  | SignalRecorded;

export type EventType = ExchangeEvent['type'];

/**
 * The id of a decision's event: the command's UUID with its last three hex digits replaced by the event's index.
 * A trade's id is the id of its OrderFilled. Decisions are bounded far below 4,096 events.
 */
export function eventId(commandId: string, index: number): string {
  return commandId.slice(0, 33) + index.toString(16).padStart(3, '0');
}
