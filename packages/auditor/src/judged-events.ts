import type { Listing, Outcome, Permission, Settings, Side, Signal } from './judged-commands.ts';

/** The auditor's own declarations of events; see judged-commands.ts. */
export interface OrderPlaced {
  readonly type: 'OrderPlaced';
  readonly accountId: string;
  readonly at: number;
  readonly fillQuantity: number;
  readonly marketId: string;
  readonly notionalUnits: number | null;
  readonly orderId: string;
  readonly orderType: 'limit' | 'market';
  readonly outcome: Outcome;
  readonly priceUnits: number;
  readonly quantity: number;
  readonly restQuantity: number;
  readonly side: Side;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
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
  | 'market_resolved';

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
  | PositionSettled
  | MarketSettled
  | WriterEpochStarted
  | AccountOpened
  | SubAccountOpened
  | { readonly type: 'AccountApproved'; readonly accountId: string; readonly at: number }
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
