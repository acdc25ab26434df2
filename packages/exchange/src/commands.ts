/**
 * What the exchange can be asked to do. A command is an input of `decide`: it carries its clock reading and all its
 * ids, because a decision never reads a clock or makes up an id. All money is whole units of $0.0001, all times are
 * whole milliseconds since 1970 UTC. An optional value that was not given is null.
 */

/** The outcome of a market that an order buys or sells. */
export type Outcome = 'yes' | 'no';
export type Side = 'buy' | 'sell';
export type OrderType = 'limit' | 'market';
export type TimeInForce = 'GTC' | 'IOC' | 'FOK';
export type Permission = 'view' | 'trade' | 'master' | 'reconcile';
export type ComplianceMode = 'paper' | 'kyc';

/** The actor of a command. `system` is the command side itself: its clock, its runs, its epochs. */
export type Actor =
  | { readonly kind: 'key'; readonly accountId: string; readonly keyId: string }
  | { readonly kind: 'operator'; readonly name: string }
  | { readonly kind: 'system' };

/**
 * The client's Idempotency-Key, with the SHA-256 (hex) of the request's method, path and body; of an item of a batch
 * with the item's place in it (from 0), which only such a command has. Key and index together are what is remembered.
 */
export interface Idempotency {
  readonly fingerprint: string;
  readonly index?: number;
  readonly key: string;
}

/** The fields of every command. `id` is a UUIDv7; the ids of its events follow from it. */
export interface CommandBase {
  /** The clock's reading. The decision happens at max(this, the last event's at). */
  readonly at: number;
  readonly by: Actor;
  /** The id of the command or event that made this command necessary; its own id where a client asked. */
  readonly causationId: string;
  /** The id of the command at the root of the chain; its own id where a client asked. */
  readonly correlationId: string;
  readonly id: string;
  readonly idempotency: Idempotency | null;
}

/** A new API key as the journal knows it: the raw key is never here. */
export interface NewKey {
  readonly keyHash: string;
  readonly keyId: string;
  readonly last4: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
}

export interface PlaceOrder extends CommandBase {
  readonly type: 'PlaceOrder';
  readonly marketId: string;
  readonly maxPriceUnits: number | null;
  readonly notionalUnits: number | null;
  /** True when the price asked for is not a whole number of units; then priceUnits is null and the tick check refuses. */
  readonly offTick: boolean;
  readonly orderId: string;
  readonly orderType: OrderType;
  readonly outcome: Outcome;
  readonly priceUnits: number | null;
  readonly quantity: number | null;
  readonly side: Side;
  readonly slippageUnits: number | null;
  readonly timeInForce: TimeInForce;
}

export interface CancelOrder extends CommandBase {
  readonly type: 'CancelOrder';
  readonly orderId: string;
}

/** Sent with a primary's master key. `permissions` null: the default (view and trade, as far as the maker has them). */
export interface OpenSubAccount extends CommandBase {
  readonly type: 'OpenSubAccount';
  readonly accountId: string;
  readonly keyHash: string;
  readonly keyId: string;
  readonly last4: string;
  /** SHA-256 (hex) of 32 random bytes and the display name, which no decision knows. */
  readonly nameDigest: string;
  readonly permissions: readonly Permission[] | null;
}

/** Sent with a primary's master key for itself or a sub-account, or by the operator for any primary. */
export interface IssueApiKey extends CommandBase, NewKey {
  readonly type: 'IssueApiKey';
  readonly accountId: string;
}

export interface RevokeApiKey extends CommandBase {
  readonly type: 'RevokeApiKey';
  readonly keyId: string;
}

/** Sent by the operator: opens a primary with its first key, named "default". */
export interface OpenAccount extends CommandBase {
  readonly type: 'OpenAccount';
  readonly accountId: string;
  readonly keyHash: string;
  readonly keyId: string;
  readonly last4: string;
  /** SHA-256 (hex) of 32 random bytes and the display name, which no decision knows. */
  readonly nameDigest: string;
  readonly permissions: readonly Permission[];
  /** Null: the epoch's setting. */
  readonly startingBalanceUnits: number | null;
}

export interface ApproveAccount extends CommandBase {
  readonly type: 'ApproveAccount';
  readonly accountId: string;
}

export interface ListMarket extends CommandBase {
  readonly type: 'ListMarket';
  /** SHA-256 (hex) of the listing's canonical body: the same listing again changes nothing, another is a conflict. */
  readonly bodyHash: string;
  readonly category: string;
  readonly citationUrl: string | null;
  readonly closesAt: number;
  /** 0..1; no decision reads it. */
  readonly companyImpact: number;
  readonly companySlug: string;
  readonly description: string | null;
  readonly drivers: readonly string[];
  readonly marketId: string;
  /** `closed`: its time has passed already, so that it never trades before it is activated with a later closesAt. */
  readonly phase: 'active' | 'scheduled' | 'closed';
  readonly priorUnits: number;
  readonly sector: string;
  readonly settlementSource: string;
  /** 1, 10 or 100 units. */
  readonly tickUnits: number;
  readonly ticker: string;
  readonly title: string;
}

/** Null leaves a field as it is. */
export interface AmendMarket extends CommandBase {
  readonly type: 'AmendMarket';
  readonly citationUrl: string | null;
  readonly closesAt: number | null;
  readonly companyImpact: number | null;
  readonly description: string | null;
  readonly drivers: readonly string[] | null;
  readonly marketId: string;
  readonly title: string | null;
}

export interface ActivateMarket extends CommandBase {
  readonly type: 'ActivateMarket';
  readonly marketId: string;
}

export interface PauseMarket extends CommandBase {
  readonly type: 'PauseMarket';
  readonly marketId: string;
}

/** Sent by the operator, or by the system when closesAt has passed. */
export interface CloseMarket extends CommandBase {
  readonly type: 'CloseMarket';
  readonly marketId: string;
}

export interface ResolveMarket extends CommandBase {
  readonly type: 'ResolveMarket';
  readonly citationUrl: string | null;
  readonly headline: string | null;
  readonly marketId: string;
  readonly outcome: Outcome;
  readonly source: string | null;
}

/** Null price: by rules 1 the market's probability at that moment, a half unit rounded down; by rules 2 a refusal. */
export interface VoidMarket extends CommandBase {
  readonly type: 'VoidMarket';
  readonly marketId: string;
  /** 0..10,000: what one YES share pays; a NO share pays the rest. */
  readonly priceUnits: number | null;
  readonly reason: string;
}

/** The next bounded piece of a market's run (close, resolve or void), by the system. */
export interface ContinueRun extends CommandBase {
  readonly type: 'ContinueRun';
  readonly marketId: string;
}

/** Fractions here are what a source says; no decision reads them. */
export interface RecordSignal extends CommandBase {
  readonly type: 'RecordSignal';
  readonly citationUrl: string;
  readonly confidence: number | null;
  readonly event: string | null;
  readonly externalId: string;
  readonly factValue: number | null;
  readonly fairProb: number | null;
  readonly freshnessMs: number | null;
  readonly headline: string;
  /** Null: platform-wide. */
  readonly marketId: string | null;
  readonly publishedAt: number;
  readonly source: string;
  readonly threshold: number | null;
}

/** The rules that can be set. They decide, so they are in the journal, and `decide` reads them from state. */
export interface Settings {
  readonly complianceMode: ComplianceMode;
  readonly fillsPerCommand: number;
  readonly idempotencyEntries: number;
  readonly idempotencyWindowMs: number;
  readonly liveKeysPerAccount: number;
  readonly openOrdersPerAccount: number;
  /** How long a revoked key counts towards `revokedKeysPerAccount`, by event time. */
  readonly revokedKeyWindowMs: number;
  /** Keys of an account that were revoked within the window; with so many no further key is issued. */
  readonly revokedKeysPerAccount: number;
  /** Events of a kind in one decision of a run. */
  readonly runChunk: number;
  readonly startingBalanceUnits: number;
  readonly subAccountsPerPrimary: number;
}

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

/** First act of a writer: who writes from here on, and by which rules. */
export interface StartWriterEpoch extends CommandBase {
  readonly type: 'StartWriterEpoch';
  readonly build: string;
  readonly rulesVersion: number;
  readonly settings: Settings;
  readonly writerId: string;
}

export type Command =
  | PlaceOrder
  | CancelOrder
  | OpenSubAccount
  | IssueApiKey
  | RevokeApiKey
  | OpenAccount
  | ApproveAccount
  | ListMarket
  | AmendMarket
  | ActivateMarket
  | PauseMarket
  | CloseMarket
  | ResolveMarket
  | VoidMarket
  | ContinueRun
  | RecordSignal
  | StartWriterEpoch;
