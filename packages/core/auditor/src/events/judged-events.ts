import type { Listing, Mandate, Outcome, Permission, Settings, Side, Signal } from './judged-commands.ts';

/** The auditor's own declarations of events; see judged-commands.ts. Private fields are undefined where withheld. */
export interface OrderPlaced {
  readonly type: 'OrderPlaced';
  readonly accountId: string;
  readonly at: number;
  readonly clientOrderId: string | null | undefined;
  readonly expiresAt: number | null;
  readonly fillQuantity: number;
  /** The key that sent it; null before rules version 3. */
  readonly keyId: string | null | undefined;
  readonly marketId: string;
  readonly notionalUnits: number | null;
  readonly orderId: string;
  readonly orderType: 'limit' | 'market';
  readonly outcome: Outcome;
  readonly postOnly: boolean;
  readonly priceUnits: number;
  readonly quantity: number;
  readonly restQuantity: number;
  readonly side: Side;
  /** A buy's cost with what it reserves; 0 before rules version 3. */
  readonly spentUnits: number | undefined;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
}

/** A total was lowered at the same price: the order keeps its place. */
export interface OrderAmended {
  readonly type: 'OrderAmended';
  readonly accountId: string;
  readonly at: number;
  readonly createdAt: number;
  readonly marketId: string;
  readonly orderId: string;
  readonly outcome: Outcome;
  readonly priceUnits: number;
  /** The new total. */
  readonly quantity: number;
  readonly remaining: number;
  readonly removed: number;
  readonly side: Side;
}

/** A resting order left the book and enters it again, like a new order for the shares that were not filled before. */
export interface OrderReplaced {
  readonly type: 'OrderReplaced';
  readonly accountId: string;
  readonly at: number;
  readonly createdAt: number;
  /** Shares that were filled before. */
  readonly filledQuantity: number;
  readonly fillQuantity: number;
  readonly formerPriceUnits: number;
  readonly formerRemaining: number;
  readonly keyId: string | undefined;
  readonly marketId: string;
  readonly orderId: string;
  readonly outcome: Outcome;
  readonly priceUnits: number;
  /** The new total. */
  readonly quantity: number;
  readonly restQuantity: number;
  readonly side: Side;
  readonly spentUnits: number | undefined;
}

/** Pairs of shares became $1 each. */
export interface SharesMerged {
  readonly type: 'SharesMerged';
  readonly accountId: string;
  readonly at: number;
  /** The account's cash after it. */
  readonly cashUnits: number;
  readonly marketId: string;
  readonly noCostUnits: number;
  readonly quantity: number;
  readonly yesCostUnits: number;
}

export interface DeadManSwitchSet {
  readonly type: 'DeadManSwitchSet';
  readonly accountId: string;
  readonly at: number;
  /** Null: the switch is off. */
  readonly cancelsAt: number | null | undefined;
}

export interface MandateSet {
  readonly type: 'MandateSet';
  readonly accountId: string;
  readonly at: number;
  readonly keyId: string;
  readonly mandate: Mandate | null | undefined;
}

export interface OrderFilled {
  readonly type: 'OrderFilled';
  readonly at: number;
  readonly kind: 'transfer' | 'mint' | 'merge';
  readonly makerAccountId: string;
  readonly makerCostUnits: number;
  readonly makerOrderId: string;
  readonly makerOutcome: Outcome;
  readonly makerRemaining: number;
  readonly makerSide: Side;
  readonly marketId: string;
  readonly quantity: number;
  readonly takerAccountId: string;
  readonly takerCostUnits: number;
  readonly takerOrderId: string;
  readonly takerOutcome: Outcome;
  readonly takerRemaining: number;
  readonly takerSide: Side;
  readonly yesPriceUnits: number;
}

export type CancelReason =
  | 'user'
  | 'ioc_remainder'
  | 'fok_unfillable'
  | 'self_trade'
  | 'no_liquidity'
  | 'fill_limit'
  | 'market_closed'
  | 'market_resolved'
  | 'post_only'
  | 'expired'
  | 'dead_man_switch'
  | 'account_closed';

export interface OrderCancelled {
  readonly type: 'OrderCancelled';
  readonly accountId: string;
  readonly at: number;
  readonly marketId: string;
  readonly orderId: string;
  readonly outcome: Outcome;
  readonly priceUnits: number;
  readonly quantity: number;
  readonly reason: CancelReason;
  readonly resting: boolean;
  readonly side: Side;
}

export interface PositionSettled {
  readonly type: 'PositionSettled';
  readonly accountId: string;
  readonly at: number;
  readonly costUnits: number;
  readonly marketId: string;
  readonly outcome: Outcome;
  readonly payoutUnits: number;
  readonly shares: number;
}

export interface MarketSettled {
  readonly type: 'MarketSettled';
  readonly at: number;
  readonly cancelledOrders: number;
  readonly marketId: string;
  readonly paidUnits: number;
  readonly settledAccounts: number;
}

interface MarketEvent<Type extends string> {
  readonly type: Type;
  readonly at: number;
  readonly marketId: string;
}

export interface MarketListed extends Listing {
  readonly type: 'MarketListed';
  readonly at: number;
}

export interface MarketAmended {
  readonly type: 'MarketAmended';
  readonly at: number;
  readonly citationUrl: string | null;
  readonly closesAt: number;
  readonly companyImpact: number;
  readonly description: string | null;
  readonly drivers: readonly string[];
  readonly marketId: string;
  readonly title: string;
}

export interface MarketResolved {
  readonly type: 'MarketResolved';
  readonly at: number;
  readonly citationUrl: string | null;
  readonly headline: string | null;
  readonly marketId: string;
  readonly outcome: Outcome;
  readonly poolUnits: number;
  readonly source: string | null;
}

export interface MarketVoided {
  readonly type: 'MarketVoided';
  readonly at: number;
  readonly marketId: string;
  readonly poolUnits: number;
  readonly priceUnits: number;
  readonly reason: string;
}

export interface SignalRecorded extends Signal {
  readonly type: 'SignalRecorded';
  readonly at: number;
}

export interface AccountOpened {
  readonly type: 'AccountOpened';
  readonly accountId: string;
  readonly at: number;
  readonly nameDigest: string;
  readonly startingBalanceUnits: number;
}

export interface SubAccountOpened {
  readonly type: 'SubAccountOpened';
  readonly accountId: string;
  readonly at: number;
  readonly nameDigest: string;
  readonly permissions: readonly Permission[];
  /** The owner of a sub-account; undefined where it was withheld. */
  readonly primaryAccountId: string | undefined;
  readonly startingBalanceUnits: number;
}

export interface ApiKeyIssued {
  readonly type: 'ApiKeyIssued';
  readonly accountId: string;
  readonly at: number;
  readonly keyHash: string;
  readonly keyId: string;
  readonly last4: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
}

export interface WriterEpochStarted {
  readonly type: 'WriterEpochStarted';
  readonly at: number;
  readonly build: string;
  readonly epoch: number;
  readonly rulesVersion: number;
  readonly settings: Settings;
  readonly writerId: string;
}

export type JudgedEvent =
  | OrderPlaced
  | OrderFilled
  | OrderCancelled
  | OrderAmended
  | OrderReplaced
  | SharesMerged
  | DeadManSwitchSet
  | MandateSet
  | PositionSettled
  | MarketSettled
  | WriterEpochStarted
  | AccountOpened
  | SubAccountOpened
  | {
      readonly type: 'AccountApproved' | 'AccountClosed' | 'DisplayNameForgotten';
      readonly accountId: string;
      readonly at: number;
    }
  | ApiKeyIssued
  | { readonly type: 'ApiKeyRevoked'; readonly accountId: string; readonly at: number; readonly keyId: string }
  | MarketListed
  | MarketAmended
  | MarketEvent<'MarketActivated'>
  | MarketEvent<'MarketPaused'>
  | (MarketEvent<'MarketClosed'> & { readonly by: 'operator' | 'clock' })
  | MarketResolved
  | MarketVoided
  | SignalRecorded;
