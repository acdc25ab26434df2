/**
 * The auditor's own declarations of commands and events. It shares no code with the exchange, so an unintended change
 * there shows here as a type error or a difference. Money is whole units of $0.0001, times are whole milliseconds since
 * 1970 UTC.
 */
export type Outcome = 'yes' | 'no';
export type Side = 'buy' | 'sell';
export type Permission = 'view' | 'trade' | 'master' | 'reconcile';

export type Actor =
  | { readonly kind: 'key'; readonly accountId: string; readonly keyId: string }
  | { readonly kind: 'operator'; readonly name: string }
  | { readonly kind: 'system' };

export interface Settings {
  readonly complianceMode: 'paper' | 'kyc';
  readonly fillsPerCommand: number;
  readonly idempotencyEntries: number;
  readonly idempotencyWindowMs: number;
  readonly liveKeysPerAccount: number;
  readonly openOrdersPerAccount: number;
  readonly revokedKeyWindowMs: number;
  readonly revokedKeysPerAccount: number;
  readonly runChunk: number;
  readonly startingBalanceUnits: number;
  readonly subAccountsPerPrimary: number;
}

interface Base {
  readonly at: number;
  readonly by: Actor;
  readonly id: string;
  /** `index`: the position in a batch; absent for a single command. */
  readonly idempotency: { readonly fingerprint: string; readonly index?: number; readonly key: string } | null;
}

interface KeyFields {
  readonly keyHash: string;
  readonly keyId: string;
  readonly last4: string;
}

export interface PlaceOrder extends Base {
  readonly type: 'PlaceOrder';
  readonly marketId: string;
  readonly maxPriceUnits: number | null;
  readonly notionalUnits: number | null;
  readonly offTick: boolean;
  readonly orderId: string;
  readonly orderType: 'limit' | 'market';
  readonly outcome: Outcome;
  readonly priceUnits: number | null;
  readonly quantity: number | null;
  readonly side: Side;
  readonly slippageUnits: number | null;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
}

export interface CancelOrder extends Base {
  readonly type: 'CancelOrder';
  readonly orderId: string;
}

export interface OpenSubAccount extends Base, KeyFields {
  readonly type: 'OpenSubAccount';
  readonly accountId: string;
  readonly nameDigest: string;
  readonly permissions: readonly Permission[] | null;
}

export interface IssueApiKey extends Base, KeyFields {
  readonly type: 'IssueApiKey';
  readonly accountId: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
}

export interface RevokeApiKey extends Base {
  readonly type: 'RevokeApiKey';
  readonly keyId: string;
}

export interface OpenAccount extends Base, KeyFields {
  readonly type: 'OpenAccount';
  readonly accountId: string;
  readonly nameDigest: string;
  readonly permissions: readonly Permission[];
  readonly startingBalanceUnits: number | null;
}

export interface ApproveAccount extends Base {
  readonly type: 'ApproveAccount';
  readonly accountId: string;
}

/** The fields of a market's listing. */
export interface Listing {
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
}

export interface ListMarket extends Base, Listing {
  readonly type: 'ListMarket';
}

export interface AmendMarket extends Base {
  readonly type: 'AmendMarket';
  readonly citationUrl: string | null;
  readonly closesAt: number | null;
  readonly companyImpact: number | null;
  readonly description: string | null;
  readonly drivers: readonly string[] | null;
  readonly marketId: string;
  readonly title: string | null;
}

export interface MarketAct extends Base {
  readonly type: 'ActivateMarket' | 'PauseMarket' | 'CloseMarket' | 'ContinueRun';
  readonly marketId: string;
}

export interface ResolveMarket extends Base {
  readonly type: 'ResolveMarket';
  readonly citationUrl: string | null;
  readonly headline: string | null;
  readonly marketId: string;
  readonly outcome: Outcome;
  readonly source: string | null;
}

export interface VoidMarket extends Base {
  readonly type: 'VoidMarket';
  readonly marketId: string;
  readonly priceUnits: number | null;
  readonly reason: string;
}

/** A cited signal. */
export interface Signal {
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
}

export interface RecordSignal extends Base, Signal {
  readonly type: 'RecordSignal';
}

export interface StartWriterEpoch extends Base {
  readonly type: 'StartWriterEpoch';
  readonly build: string;
  readonly rulesVersion: number;
  readonly settings: Settings;
  readonly writerId: string;
}

export type JudgedCommand =
  | PlaceOrder
  | CancelOrder
  | OpenSubAccount
  | IssueApiKey
  | RevokeApiKey
  | OpenAccount
  | ApproveAccount
  | ListMarket
  | AmendMarket
  | MarketAct
  | ResolveMarket
  | VoidMarket
  | RecordSignal
  | StartWriterEpoch;
