import { eachOrNull, inPrivate, listOf, nullable, objectOf } from './fields.ts';
import type { Fields, ValuesOf } from './fields.ts';
import {
  COMPLIANCE_MODES,
  LISTED_PHASES,
  ORDER_TYPES,
  OUTCOMES,
  PERMISSIONS,
  SIDES,
  TIMES_IN_FORCE,
} from './vocabulary.ts';

/**
 * The commands of the exchange, the inputs of `decide`. A command carries its clock reading and all its ids, because a
 * decision never reads a clock or generates an id. All money is whole units of $0.0001, all times are whole
 * milliseconds since 1970 UTC. An optional value that was not given is null.
 */

/** The sender of a command. `system`: the command side itself, for due timers, the pieces of runs, and epochs. */
export type Actor =
  | { readonly kind: 'key'; readonly accountId: string; readonly keyId: string }
  | { readonly kind: 'operator'; readonly name: string }
  | { readonly kind: 'system' };

/**
 * The client's Idempotency-Key; with the index (from 0) of an item of a batch it identifies the command. `fingerprint`:
 * the SHA-256 (hex) of the request's method, path and body.
 */
export interface Idempotency {
  readonly fingerprint: string;
  readonly index?: number;
  readonly key: string;
}

/** The fields of every command. `id` is a UUIDv7; the ids of its events follow from it. */
export interface CommandBase {
  /** The clock's reading. The decision's time is this reading, or the last event's time where that is later. */
  readonly at: number;
  readonly by: Actor;
  /** The id of the command or event that caused this command; a client's request is its own cause. */
  readonly causationId: string;
  /** The id of the command at the root of the chain of causes; a client's request is its own root. */
  readonly correlationId: string;
  readonly id: string;
  readonly idempotency: Idempotency | null;
}

/** The fields that an order may leave out. They are visible to everyone who may see the order. */
export const OPTIONAL_ORDER_FIELDS = {
  /** The client's own name of the order; unique among the account's recent orders. */
  clientOrderId: inPrivate(nullable('text')),
  /** The time at which the resting part of the order is cancelled; null: never. */
  expiresAt: nullable('time'),
  /** True: the order is cancelled instead of taking shares. */
  postOnly: 'boolean',
} as const;
export type OptionalFields = ValuesOf<typeof OPTIONAL_ORDER_FIELDS>;

/** The values of these fields in an order that leaves them out. */
export const PLAIN_ORDER = { clientOrderId: null, expiresAt: null, postOnly: false } as const satisfies OptionalFields;

/** The fields that an order's command and its event share. */
export const ORDER_FIELDS = {
  ...OPTIONAL_ORDER_FIELDS,
  marketId: 'id',
  /** The most to spend, as requested; null if the order has none. */
  notionalUnits: nullable('units'),
  orderId: 'uuid',
  orderType: ORDER_TYPES,
  outcome: OUTCOMES,
  side: SIDES,
  timeInForce: TIMES_IN_FORCE,
} as const;

/** The limits of a key, enforced where orders are decided. Null: no such limit. */
export const MANDATE_FIELDS = {
  /** The only markets in which the key may trade; at most 100. */
  marketIds: nullable(listOf('id')),
  /** The most that one order may cost, including its reserve. */
  maxOrderCostUnits: nullable('units'),
  /** The most money that the account may have reserved after an order. */
  maxReservedUnits: nullable('units'),
  /** The most shares of an outcome that the account may hold, or buy by resting orders, after an order. */
  maxShares: nullable('count'),
  /** True: the key may only sell. */
  reduceOnly: nullable('boolean'),
  /** The most that the key's buys of one day (UTC) may cost, including their reserve at placement. */
  spendPerDayUnits: nullable('units'),
} as const;

/** The fields of a market that may change until it ends. */
export const AMENDABLE_FIELDS = {
  citationUrl: nullable('text'),
  closesAt: 'instant',
  /** The market's weight for its company, for signals; no decision depends on it. */
  companyImpact: 'fraction',
  description: nullable('text'),
  drivers: listOf('text'),
  title: 'text',
} as const;

/** The fields that a listing's command and its event share. */
export const LISTING_FIELDS = {
  ...AMENDABLE_FIELDS,
  /** SHA-256 (hex) of the listing's canonical body: the same id with another body is a conflict. */
  bodyHash: 'sha256',
  category: 'text',
  companySlug: 'text',
  marketId: 'id',
  phase: LISTED_PHASES,
  priorUnits: 'priceUnits',
  sector: 'text',
  settlementSource: 'text',
  tickUnits: 'tickUnits',
  ticker: 'text',
} as const;

/** The fields that a signal's command and its event share. The numbers are the source's; no decision reads them. */
export const SIGNAL_FIELDS = {
  citationUrl: 'text',
  confidence: nullable('number'),
  event: nullable('text'),
  externalId: 'text',
  factValue: nullable('number'),
  fairProb: nullable('number'),
  freshnessMs: nullable('number'),
  headline: 'text',
  /** Null: the signal is about the whole platform. */
  marketId: nullable('id'),
  publishedAt: 'instant',
  source: 'text',
  threshold: nullable('number'),
} as const;

/** The configurable rules. Decisions depend on them, so they are in the journal and in the state. */
export const SETTING_FIELDS = {
  complianceMode: COMPLIANCE_MODES,
  fillsPerCommand: 'positive',
  idempotencyEntries: 'count',
  idempotencyWindowMs: 'count',
  liveKeysPerAccount: 'count',
  openOrdersPerAccount: 'count',
  /** The time, by event time, for which a revoked key counts towards `revokedKeysPerAccount`. */
  revokedKeyWindowMs: 'count',
  /** The number of an account's keys revoked within the window at which no further key is issued. */
  revokedKeysPerAccount: 'count',
  /** The most cancels, revocations or settlements in one decision that ends a market, an account or many orders. */
  runChunk: 'positive',
  startingBalanceUnits: 'units',
  subAccountsPerPrimary: 'count',
} as const;

export type Settings = ValuesOf<typeof SETTING_FIELDS>;

export const DEFAULT_SETTINGS: Settings = {
  complianceMode: 'paper',
  fillsPerCommand: 500,
  idempotencyEntries: 2_000_000,
  idempotencyWindowMs: 24 * 60 * 60 * 1000,
  liveKeysPerAccount: 20,
  openOrdersPerAccount: 1000,
  revokedKeyWindowMs: 24 * 60 * 60 * 1000,
  revokedKeysPerAccount: 200,
  runChunk: 400,
  startingBalanceUnits: 10_000 * 10_000,
  subAccountsPerPrimary: 50,
};

/** A new API key as the journal stores it, which never includes the raw key. */
const NEW_KEY = { keyHash: inPrivate('sha256'), keyId: 'uuid', last4: inPrivate('last4') } as const;

/** The fields of every command, without those of CommandBase and the type. */
export const COMMANDS = {
  PlaceOrder: {
    ...ORDER_FIELDS,
    /** The sub-account that the order is for. Null: the account of the key. */
    accountId: inPrivate(nullable('uuid')),
    maxPriceUnits: nullable('units'),
    /** The requested price is not a whole number of units: priceUnits is null, and the tick check refuses it. */
    offTick: 'boolean',
    priceUnits: nullable('units'),
    quantity: nullable('count'),
    slippageUnits: nullable('units'),
  },
  CancelOrder: { orderId: 'uuid' },
  /** Changes a resting order. Null leaves a value unchanged; at least one of the two is not null. */
  AmendOrder: {
    /** As in PlaceOrder. */
    offTick: 'boolean',
    orderId: 'uuid',
    priceUnits: nullable('units'),
    quantity: nullable('count'),
  },
  /** Cancels up to `runChunk` of the account's oldest resting orders that match every given filter. */
  CancelOrders: {
    accountId: 'uuid',
    marketId: nullable('id'),
    outcome: nullable(OUTCOMES),
    side: nullable(SIDES),
  },
  /** Turns pairs of free YES and NO shares into $1 each. Null: all pairs. */
  MergeShares: { marketId: 'id', quantity: nullable('count') },
  /** Arms the account's dead-man switch for this many seconds from now; 0 turns it off. */
  SetDeadManSwitch: { seconds: inPrivate('count') },
  /** Cancels the next orders of an account whose dead-man switch is due; sent by the system. */
  FireDeadManSwitch: { accountId: 'uuid' },
  /** Cancels at most `runChunk` orders whose expiresAt has passed; sent by the system. */
  ExpireOrders: {},
  /** Sent with a primary's master key for a key of its fleet. Null removes the mandate. */
  SetMandate: { keyId: 'uuid', mandate: inPrivate(nullable(objectOf(MANDATE_FIELDS))) },
  /** Sent with a primary's master key. */
  OpenSubAccount: {
    ...NEW_KEY,
    accountId: 'uuid',
    /** SHA-256 (hex) of 32 random bytes and the display name. The exchange never sees the name itself. */
    nameDigest: 'sha256',
    /** Null: the permissions view and trade, as far as the issuing key has them. */
    permissions: inPrivate(nullable(listOf(PERMISSIONS))),
  },
  /** Sent with a primary's master key: gives the account of the key another display name. */
  RenameAccount: { nameDigest: 'sha256' },
  /** Sent with a primary's master key for itself or a sub-account, or by the operator for any primary. */
  IssueApiKey: {
    ...NEW_KEY,
    accountId: 'uuid',
    name: inPrivate('text'),
    permissions: inPrivate(listOf(PERMISSIONS)),
  },
  RevokeApiKey: { keyId: 'uuid' },
  /** Sent by the operator: opens a primary with its first key, named "default". */
  OpenAccount: {
    ...NEW_KEY,
    accountId: 'uuid',
    nameDigest: 'sha256',
    permissions: inPrivate(listOf(PERMISSIONS)),
    /** Null: the epoch's setting. */
    startingBalanceUnits: nullable('units'),
  },
  ApproveAccount: { accountId: 'uuid' },
  /** By the operator for a primary with its sub-accounts; from rules version 6 on by a master key for a sub-account. */
  CloseAccount: { accountId: 'uuid' },
  /** Carries out the next piece of an account's closing; sent by the system. */
  ContinueClosing: { accountId: 'uuid' },
  /** Sent by the operator: deletes the display names of a closed primary account and of its sub-accounts. */
  ForgetDisplayNames: { accountId: 'uuid' },
  ListMarket: LISTING_FIELDS,
  /** A null field stays unchanged. */
  AmendMarket: { ...eachOrNull(AMENDABLE_FIELDS), marketId: 'id' },
  ActivateMarket: { marketId: 'id' },
  PauseMarket: { marketId: 'id' },
  /** Sent by the operator, or by the system when closesAt has passed. */
  CloseMarket: { marketId: 'id' },
  ResolveMarket: {
    citationUrl: nullable('text'),
    headline: nullable('text'),
    marketId: 'id',
    outcome: OUTCOMES,
    source: nullable('text'),
  },
  VoidMarket: {
    marketId: 'id',
    /**
     * The payout of one YES share; a NO share pays the rest of $1. Null: rules version 1 takes the market's
     * probability, rounded down to a unit; from version 2 on the command is refused.
     */
    priceUnits: nullable('priceUnits'),
    reason: 'text',
  },
  /** Carries out the next piece of a market's run (close, resolve or void); sent by the system. */
  ContinueRun: { marketId: 'id' },
  RecordSignal: SIGNAL_FIELDS,
  /** Starts a writer's epoch: names the writer, and the rules of the events that follow. */
  StartWriterEpoch: { build: 'text', rulesVersion: 'positive', settings: objectOf(SETTING_FIELDS), writerId: 'text' },
} as const satisfies Readonly<Record<string, Fields>>;

export type CommandType = keyof typeof COMMANDS;
export type CommandOf<T extends CommandType> = CommandBase & ValuesOf<(typeof COMMANDS)[T]> & { readonly type: T };
export type Command = { [T in CommandType]: CommandOf<T> }[CommandType];

/** A command without its time, which the writer adds when it decides the command. */
export type Untimed<C extends Command = Command> = C extends Command ? Omit<C, 'at'> : never;
