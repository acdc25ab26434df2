import type { Listing, Mandate, Outcome, Permission, Settings, Side, Signal } from './judged-commands.ts';

/** The auditor's own declarations of events. Withheld private fields are undefined. */
interface Event<Type extends string> {
  readonly type: Type;
  readonly at: number;
}

interface AccountEvent<Type extends string> extends Event<Type> {
  readonly accountId: string;
}

interface MarketEvent<Type extends string> extends Event<Type> {
  readonly marketId: string;
}

/** An order's own fields, which each event about it repeats. */
export interface OrderFields {
  readonly accountId: string;
  readonly marketId: string;
  readonly orderId: string;
  readonly outcome: Outcome;
  readonly priceUnits: number;
  readonly side: Side;
}

export interface OrderPlaced extends Event<'OrderPlaced'>, OrderFields {
  readonly clientOrderId: string | null | undefined;
  readonly expiresAt: number | null;
  readonly fillQuantity: number;
  /** The key that sent the order; null before rules version 3. */
  readonly keyId: string | null | undefined;
  readonly notionalUnits: number | null;
  readonly orderType: 'limit' | 'market';
  readonly postOnly: boolean;
  readonly quantity: number;
  readonly restQuantity: number;
  /** A buy's cost and reserve; 0 before rules version 3. */
  readonly spentUnits: number | undefined;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
}

/** The fields of an order in the events of its changes; null before rules version 5. */
interface ChangedOrder extends OrderFields {
  readonly clientOrderId: string | null | undefined;
  readonly expiresAt: number | null;
  /** The sum of own price × shares over the fills before the decision. */
  readonly filledCostUnits: number | null;
  readonly postOnly: boolean | null;
}

/** A resting order's total was lowered at the same price: the order keeps its place. */
export interface OrderAmended extends Event<'OrderAmended'>, ChangedOrder {
  readonly createdAt: number;
  readonly quantity: number;
  readonly remaining: number;
  readonly removed: number;
}

/** A resting order left the book and enters it again, like a new order for its unfilled shares. */
export interface OrderReplaced extends Event<'OrderReplaced'>, ChangedOrder {
  readonly createdAt: number;
  readonly filledQuantity: number;
  readonly fillQuantity: number;
  readonly formerPriceUnits: number;
  readonly formerRemaining: number;
  readonly keyId: string | undefined;
  readonly quantity: number;
  readonly restQuantity: number;
  readonly spentUnits: number | undefined;
}

export interface SharesMerged extends AccountEvent<'SharesMerged'> {
  readonly cashUnits: number;
  readonly marketId: string;
  readonly noCostUnits: number;
  readonly quantity: number;
  readonly yesCostUnits: number;
}

export interface DeadManSwitchSet extends AccountEvent<'DeadManSwitchSet'> {
  /** Null: the switch is off. */
  readonly cancelsAt: number | null | undefined;
}

export interface MandateSet extends AccountEvent<'MandateSet'> {
  readonly keyId: string;
  readonly mandate: Mandate | null | undefined;
}

export interface OrderFilled extends MarketEvent<'OrderFilled'> {
  readonly kind: 'transfer' | 'mint' | 'merge';
  readonly makerAccountId: string;
  readonly makerCostUnits: number;
  readonly makerOrderId: string;
  readonly makerOutcome: Outcome;
  readonly makerRemaining: number;
  readonly makerSide: Side;
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

export interface OrderCancelled extends Event<'OrderCancelled'>, OrderFields {
  readonly quantity: number;
  readonly reason: CancelReason;
  readonly resting: boolean;
}

export interface PositionSettled extends AccountEvent<'PositionSettled'> {
  readonly costUnits: number;
  readonly marketId: string;
  readonly outcome: Outcome;
  readonly payoutUnits: number;
  readonly shares: number;
}

export interface MarketSettled extends MarketEvent<'MarketSettled'> {
  readonly cancelledOrders: number;
  readonly paidUnits: number;
  readonly settledAccounts: number;
}

export interface MarketListed extends Event<'MarketListed'>, Listing {}

export interface MarketAmended extends MarketEvent<'MarketAmended'> {
  readonly citationUrl: string | null;
  readonly closesAt: number;
  readonly companyImpact: number;
  readonly description: string | null;
  readonly drivers: readonly string[];
  readonly title: string;
}

export interface MarketResolved extends MarketEvent<'MarketResolved'> {
  readonly citationUrl: string | null;
  readonly headline: string | null;
  readonly outcome: Outcome;
  readonly poolUnits: number;
  readonly source: string | null;
}

export interface MarketVoided extends MarketEvent<'MarketVoided'> {
  readonly poolUnits: number;
  readonly priceUnits: number;
  readonly reason: string;
}

export interface SignalRecorded extends Event<'SignalRecorded'>, Signal {}

export interface AccountOpened extends AccountEvent<'AccountOpened'> {
  readonly nameDigest: string;
  readonly startingBalanceUnits: number;
}

export interface AccountRenamed extends AccountEvent<'AccountRenamed'> {
  readonly nameDigest: string;
}

export interface SubAccountOpened extends AccountEvent<'SubAccountOpened'> {
  readonly nameDigest: string;
  readonly permissions: readonly Permission[];
  readonly primaryAccountId: string | undefined;
  readonly startingBalanceUnits: number;
}

export interface ApiKeyIssued extends AccountEvent<'ApiKeyIssued'> {
  readonly keyHash: string;
  readonly keyId: string;
  readonly last4: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
}

export interface WriterEpochStarted extends Event<'WriterEpochStarted'> {
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
  | AccountRenamed
  | AccountEvent<'AccountApproved'>
  | AccountEvent<'AccountClosed'>
  | AccountEvent<'DisplayNameForgotten'>
  | ApiKeyIssued
  | (AccountEvent<'ApiKeyRevoked'> & { readonly keyId: string })
  | MarketListed
  | MarketAmended
  | MarketEvent<'MarketActivated'>
  | MarketEvent<'MarketPaused'>
  | (MarketEvent<'MarketClosed'> & { readonly by: 'operator' | 'clock' })
  | MarketResolved
  | MarketVoided
  | SignalRecorded;

export type EventOf<Type extends JudgedEvent['type']> = Extract<JudgedEvent, { readonly type: Type }>;
