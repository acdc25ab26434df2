import type { Listing, Mandate, Outcome, Permission, Settings, Side, Signal } from './judged-commands.ts';

interface OfAccount {
  accountId: string;
}

interface OfMarket {
  marketId: string;
}

interface OfAccountInMarket extends OfAccount, OfMarket {}

/** An order's own fields, which each event about it repeats. */
export interface OrderFields extends OfAccountInMarket {
  orderId: string;
  outcome: Outcome;
  priceUnits: number;
  side: Side;
}

/** The fields of an order in the events of its changes; null before rules version 5. */
interface ChangedOrder extends OrderFields {
  clientOrderId: string | null | undefined;
  createdAt: number;
  expiresAt: number | null;
  /** The sum of own price × shares over the fills before the decision. */
  filledCostUnits: number | null;
  postOnly: boolean | null;
  quantity: number;
}

interface OpenedAccount extends OfAccount {
  nameDigest: string;
  startingBalanceUnits: number;
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

/** The auditor's own declaration of each event, besides `type` and `at`. Undefined: a withheld private field. */
interface Events {
  OrderPlaced: OrderFields & {
    clientOrderId: string | null | undefined;
    expiresAt: number | null;
    fillQuantity: number;
    /** The key that sent the order; null before rules version 3. */
    keyId: string | null | undefined;
    notionalUnits: number | null;
    orderType: 'limit' | 'market';
    postOnly: boolean;
    quantity: number;
    restQuantity: number;
    /** A buy's cost and reserve; 0 before rules version 3. */
    spentUnits: number | undefined;
    timeInForce: 'GTC' | 'IOC' | 'FOK';
  };
  OrderFilled: OfMarket & {
    kind: 'transfer' | 'mint' | 'merge';
    makerAccountId: string;
    makerCostUnits: number;
    makerOrderId: string;
    makerOutcome: Outcome;
    makerRemaining: number;
    makerSide: Side;
    quantity: number;
    takerAccountId: string;
    takerCostUnits: number;
    takerOrderId: string;
    takerOutcome: Outcome;
    takerRemaining: number;
    takerSide: Side;
    yesPriceUnits: number;
  };
  OrderCancelled: OrderFields & { quantity: number; reason: CancelReason; resting: boolean };
  /** A resting order's total was lowered at the same price: the order keeps its place. */
  OrderAmended: ChangedOrder & { remaining: number; removed: number };
  /** A resting order left the book and enters it again, like a new order for its unfilled shares. */
  OrderReplaced: ChangedOrder & {
    filledQuantity: number;
    fillQuantity: number;
    formerPriceUnits: number;
    formerRemaining: number;
    keyId: string | undefined;
    restQuantity: number;
    spentUnits: number | undefined;
  };
  SharesMerged: OfAccountInMarket & { cashUnits: number; noCostUnits: number; quantity: number; yesCostUnits: number };
  /** Null: the switch is off. */
  DeadManSwitchSet: OfAccount & { cancelsAt: number | null | undefined };
  MandateSet: OfAccount & { keyId: string; mandate: Mandate | null | undefined };
  PositionSettled: OfAccountInMarket & { costUnits: number; outcome: Outcome; payoutUnits: number; shares: number };
  MarketSettled: OfMarket & { cancelledOrders: number; paidUnits: number; settledAccounts: number };
  WriterEpochStarted: { build: string; epoch: number; rulesVersion: number; settings: Settings; writerId: string };
  AccountOpened: OpenedAccount;
  SubAccountOpened: OpenedAccount & { permissions: readonly Permission[]; primaryAccountId: string | undefined };
  AccountRenamed: OfAccount & { nameDigest: string };
  AccountApproved: OfAccount;
  AccountClosed: OfAccount;
  DisplayNameForgotten: OfAccount;
  ApiKeyIssued: OfAccount & {
    keyHash: string;
    keyId: string;
    last4: string;
    name: string;
    permissions: readonly Permission[];
  };
  ApiKeyRevoked: OfAccount & { keyId: string };
  MarketListed: Listing;
  MarketAmended: OfMarket & {
    citationUrl: string | null;
    closesAt: number;
    companyImpact: number;
    description: string | null;
    drivers: readonly string[];
    title: string;
  };
  MarketActivated: OfMarket;
  MarketPaused: OfMarket;
  MarketClosed: OfMarket & { by: 'operator' | 'clock' };
  MarketResolved: OfMarket & {
    citationUrl: string | null;
    headline: string | null;
    outcome: Outcome;
    poolUnits: number;
    source: string | null;
  };
  MarketVoided: OfMarket & { poolUnits: number; priceUnits: number; reason: string };
  SignalRecorded: Signal;
}

export type EventOf<Type extends keyof Events> = {
  [T in Type]: Readonly<Events[T] & { at: number; type: T }>;
}[Type];

export type JudgedEvent = EventOf<keyof Events>;

/** An event that announces the fills and the rest of an order that arrives. */
export type OrderAnnounced = EventOf<'OrderPlaced' | 'OrderReplaced'>;
