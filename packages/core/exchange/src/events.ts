import {
  AMENDABLE_FIELDS,
  LISTING_FIELDS,
  MANDATE_FIELDS,
  OPTIONAL_ORDER_FIELDS,
  ORDER_FIELDS,
  SETTING_FIELDS,
  SIGNAL_FIELDS,
} from './commands.ts';
import { eachOrNull, inPrivate, listOf, nullable, objectOf } from './fields.ts';
import type { Fields, PublicValuesOf, ValuesOf } from './fields.ts';
import { CANCEL_REASONS, FILL_KINDS, OUTCOMES, PERMISSIONS, SIDES } from './vocabulary.ts';

/**
 * The events of the exchange. These names and fields ARE the stored format: a change needs a new version and an upcaster
 * in packages/core/journal. Every event is one flat object whose keys are built in alphabetical order, so that
 * JSON.stringify gives its RFC 8785 text. Money is whole units of $0.0001; times are whole milliseconds since 1970 UTC.
 *
 * Events carry their effects, so that a projection only adds and never looks anything up. Examples are the remainder of
 * both orders of a fill, the cost that a sale took off a position, and the book level of a cancelled order.
 */

/** Fields of an order that its changes repeat, so that a replay gives the same answer. Null before rules version 5. */
export const REPEATED_ORDER_FIELDS = {
  ...eachOrNull(OPTIONAL_ORDER_FIELDS),
  /** The sum of own price × shares over the fills before this decision. */
  filledCostUnits: nullable('units'),
} as const;

/** The values of REPEATED_ORDER_FIELDS in events by rules before version 5. */
export const NOT_REPEATED = Object.fromEntries(Object.keys(REPEATED_ORDER_FIELDS).map((name) => [name, null])) as {
  readonly [Name in keyof typeof REPEATED_ORDER_FIELDS]: null;
};

/** The fields that OrderAmended and OrderReplaced share. */
const CHANGED_ORDER_FIELDS = {
  ...REPEATED_ORDER_FIELDS,
  accountId: 'uuid',
  createdAt: 'time',
  marketId: 'id',
  orderId: 'uuid',
  outcome: OUTCOMES,
  priceUnits: 'priceUnits',
  quantity: 'positive',
  side: SIDES,
} as const;

/** The fields of every event, without `at` and `type`. */
export const EVENTS = {
  WriterEpochStarted: {
    build: 'text',
    epoch: 'positive',
    rulesVersion: 'positive',
    settings: objectOf(SETTING_FIELDS),
    writerId: 'text',
  },
  AccountOpened: {
    accountId: 'uuid',
    /** SHA-256 (hex) of 32 random bytes and the display name. No event holds the name itself. */
    nameDigest: 'sha256',
    startingBalanceUnits: 'units',
  },
  SubAccountOpened: {
    accountId: 'uuid',
    nameDigest: 'sha256',
    permissions: inPrivate(listOf(PERMISSIONS)),
    primaryAccountId: inPrivate('uuid'),
    startingBalanceUnits: 'units',
  },
  /** The former name stays stored until the account's names are forgotten. */
  AccountRenamed: { accountId: 'uuid', nameDigest: 'sha256' },
  AccountApproved: { accountId: 'uuid' },
  /**
   * A decision has one for each account that it closes: a primary and its open sub-accounts, or (from rules version 6
   * on) a single sub-account. The ends of their keys and orders follow, here and in decisions of ContinueClosing.
   */
  AccountClosed: { accountId: 'uuid' },
  /** All display names of the account, former ones too, must be deleted, and the names of its keys in read models. */
  DisplayNameForgotten: { accountId: 'uuid' },
  ApiKeyIssued: {
    accountId: 'uuid',
    /** The hash of the raw key. */
    keyHash: inPrivate('sha256'),
    keyId: 'uuid',
    last4: inPrivate('last4'),
    name: inPrivate('text'),
    permissions: inPrivate(listOf(PERMISSIONS)),
  },
  ApiKeyRevoked: { accountId: 'uuid', keyId: 'uuid' },
  MarketListed: LISTING_FIELDS,
  /** All amendable fields, with their values after the change. */
  MarketAmended: { ...AMENDABLE_FIELDS, marketId: 'id' },
  MarketActivated: { marketId: 'id' },
  MarketPaused: { marketId: 'id' },
  /** The market stops. The cancels of its resting orders follow in this decision and those of ContinueRun. */
  MarketClosed: { by: ['operator', 'clock'], marketId: 'id' },
  /**
   * An incoming order, with its result in this decision. `fillQuantity` shares fill in the OrderFilled events that
   * follow. Then `restQuantity` shares enter the book. A last OrderCancelled cancels the rest of `quantity`.
   */
  OrderPlaced: {
    ...ORDER_FIELDS,
    accountId: 'uuid',
    fillQuantity: 'count',
    /** The key that sent the order; null before rules version 3. */
    keyId: inPrivate(nullable('uuid')),
    /** The limit price of the order's own outcome; for a market order, the price bound that applied. */
    priceUnits: 'priceUnits',
    quantity: 'count',
    restQuantity: 'count',
    /** Counts towards the key's spendPerDay: the cost of the fills and the reserve of the rest; 0 for a sell. */
    spentUnits: inPrivate('units'),
  },
  /** The total of a resting order was lowered. The order keeps its place in the queue. */
  OrderAmended: {
    ...CHANGED_ORDER_FIELDS,
    remaining: 'positive',
    /** Shares that left the book. */
    removed: 'positive',
  },
  /**
   * A resting order left the book and enters it again, as a new order would, with another price or total.
   * `fillQuantity`, `restQuantity` and later events mean the same as for OrderPlaced, for the shares not filled before.
   */
  OrderReplaced: {
    ...CHANGED_ORDER_FIELDS,
    filledQuantity: 'count',
    fillQuantity: 'count',
    formerPriceUnits: 'priceUnits',
    /** Shares that left the book. */
    formerRemaining: 'positive',
    keyId: inPrivate('uuid'),
    restQuantity: 'count',
    /** Counts towards the key's spendPerDay, as a new order for the shares that were not filled before. */
    spentUnits: inPrivate('units'),
  },
  /**
   * A resting order (maker) met the incoming order (taker) at the maker's price. A buyer's cost units are the amount
   * paid, a seller's the cost that left the position: ⌊cost × quantity / shares⌋.
   */
  OrderFilled: {
    kind: FILL_KINDS,
    makerAccountId: 'uuid',
    makerCostUnits: 'units',
    makerOrderId: 'uuid',
    makerOutcome: OUTCOMES,
    makerRemaining: 'count',
    makerSide: SIDES,
    marketId: 'id',
    quantity: 'positive',
    takerAccountId: 'uuid',
    takerCostUnits: 'units',
    takerOrderId: 'uuid',
    takerOutcome: OUTCOMES,
    /** Shares of the taker's order (its final `quantity`) not yet filled after this fill. */
    takerRemaining: 'count',
    takerSide: SIDES,
    yesPriceUnits: 'priceUnits',
  },
  OrderCancelled: {
    accountId: 'uuid',
    marketId: 'id',
    orderId: 'uuid',
    outcome: OUTCOMES,
    priceUnits: 'priceUnits',
    quantity: 'count',
    reason: CANCEL_REASONS,
    /** True if the cancelled shares rested in the book; false for the unfilled rest of an incoming order. */
    resting: 'boolean',
    side: SIDES,
  },
  /** Pairs of shares became $1 each. The cost units left the position: ⌊cost × quantity / shares⌋ of each outcome. */
  SharesMerged: {
    accountId: 'uuid',
    /** The account's cash after the merge, reserved money included. */
    cashUnits: 'units',
    marketId: 'id',
    noCostUnits: 'units',
    quantity: 'positive',
    yesCostUnits: 'units',
  },
  /** Null: the switch is off. */
  DeadManSwitchSet: { accountId: 'uuid', cancelsAt: inPrivate(nullable('time')) },
  /** Null: the key has no mandate. */
  MandateSet: { accountId: 'uuid', keyId: 'uuid', mandate: inPrivate(nullable(objectOf(MANDATE_FIELDS))) },
  /** The market stops for good, and $1 × pairs moves into its settlement pool. */
  MarketResolved: {
    citationUrl: nullable('text'),
    headline: nullable('text'),
    marketId: 'id',
    outcome: OUTCOMES,
    poolUnits: 'units',
    source: nullable('text'),
  },
  MarketVoided: {
    marketId: 'id',
    poolUnits: 'units',
    /** The payout of one YES share; a NO share pays 10,000 minus this. */
    priceUnits: 'priceUnits',
    reason: 'text',
  },
  /** One outcome of one position is settled: its shares are removed, and the payout is taken from the market's pool. */
  PositionSettled: {
    accountId: 'uuid',
    costUnits: 'units',
    marketId: 'id',
    outcome: OUTCOMES,
    payoutUnits: 'units',
    shares: 'positive',
  },
  MarketSettled: {
    cancelledOrders: 'count',
    marketId: 'id',
    paidUnits: 'units',
    settledAccounts: 'count',
  },
  SignalRecorded: SIGNAL_FIELDS,
} as const satisfies Readonly<Record<string, Fields>>;

export type EventType = keyof typeof EVENTS;
export type EventOf<T extends EventType> = ValuesOf<(typeof EVENTS)[T]> & { readonly at: number; readonly type: T };
export type ExchangeEvent = { [T in EventType]: EventOf<T> }[EventType];

/** An event without its private fields, as everyone may read it. */
export type PublicEvent = {
  [T in EventType]: PublicValuesOf<(typeof EVENTS)[T]> & { readonly at: number; readonly type: T };
}[EventType];

export type ApiKeyIssued = EventOf<'ApiKeyIssued'>;
export type MarketListed = EventOf<'MarketListed'>;
export type MarketAmended = EventOf<'MarketAmended'>;
export type OrderPlaced = EventOf<'OrderPlaced'>;
export type OrderFilled = EventOf<'OrderFilled'>;
export type OrderCancelled = EventOf<'OrderCancelled'>;
export type OrderAmended = EventOf<'OrderAmended'>;
export type OrderReplaced = EventOf<'OrderReplaced'>;
export type SharesMerged = EventOf<'SharesMerged'>;
export type MarketResolved = EventOf<'MarketResolved'>;
export type MarketVoided = EventOf<'MarketVoided'>;
export type PositionSettled = EventOf<'PositionSettled'>;
export type SignalRecorded = EventOf<'SignalRecorded'>;
