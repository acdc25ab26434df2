import type { EventType, ExchangeEvent } from '@paper/exchange';
import { z } from 'zod';
import { settingsOfV1 } from './former-settings.ts';
import { hideName } from './hide-name.ts';
import { upcastStepwise, type Stored, type Upcast } from './stored-object.ts';

/** A version that is no longer written but is in journals for ever: its shape, and the step to the next version. */
interface FormerVersion {
  readonly schema: z.ZodType;
  readonly upcast: Upcast;
}

/** How events of one type are stored. The current version is the number of former ones plus one. */
interface EventFormat<E> {
  /** Oldest first. */
  readonly former: readonly FormerVersion[];
  readonly schema: z.ZodType<E>;
}

const text = z.string().refine((value) => value.isWellFormed(), 'a lone surrogate has no UTF-8 text');
const id = z.string().min(1);
const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const at = z.int().nonnegative();
const units = z.int().nonnegative();
const priceUnits = z.int().min(0).max(10_000);
const count = z.int().nonnegative();
const positive = z.int().positive();
const fraction = z.number().min(0).max(1);
const outcome = z.enum(['yes', 'no']);
const side = z.enum(['buy', 'sell']);
const permissions = z.array(z.enum(['view', 'trade', 'master', 'reconcile']));

const settingsV1 = z.strictObject({
  complianceMode: z.enum(['paper', 'kyc']),
  fillsPerCommand: positive,
  idempotencyEntries: count,
  idempotencyWindowMs: count,
  liveKeysPerAccount: count,
  openOrdersPerAccount: count,
  runChunk: positive,
  startingBalanceUnits: units,
  subAccountsPerPrimary: count,
});

const writerEpochStartedV1 = z.strictObject({
  at,
  build: text,
  epoch: positive,
  rulesVersion: positive,
  settings: settingsV1,
  type: z.literal('WriterEpochStarted'),
  writerId: text,
});

const accountOpened = z.strictObject({
  accountId: uuid,
  at,
  startingBalanceUnits: units,
  type: z.literal('AccountOpened'),
});

const subAccountOpened = z.strictObject({
  accountId: uuid,
  at,
  permissions,
  primaryAccountId: uuid,
  startingBalanceUnits: units,
  type: z.literal('SubAccountOpened'),
});

const apiKeyIssued = z.strictObject({
  accountId: uuid,
  at,
  keyHash: sha256,
  keyId: uuid,
  last4: z.string().length(4),
  name: text,
  permissions,
  type: z.literal('ApiKeyIssued'),
});

const marketListedV1 = z.strictObject({
  at,
  bodyHash: sha256,
  category: text,
  citationUrl: text.nullable(),
  closesAt: z.int(),
  companySlug: text,
  description: text.nullable(),
  marketId: id,
  phase: z.enum(['active', 'scheduled']),
  priorUnits: priceUnits,
  sector: text,
  settlementSource: text,
  ticker: text,
  title: text,
  type: z.literal('MarketListed'),
});

const marketListedV2 = z.strictObject({
  ...marketListedV1.shape,
  companyImpact: fraction,
  drivers: z.array(text),
  tickUnits: z.union([z.literal(1), z.literal(10), z.literal(100)]),
});

/** Every type of event that a journal may hold, in every version. A type that is missing here does not compile. */
export const EVENT_FORMATS: { readonly [T in EventType]: EventFormat<Extract<ExchangeEvent, { type: T }>> } = {
  AccountApproved: {
    former: [],
    schema: z.strictObject({ accountId: uuid, at, type: z.literal('AccountApproved') }),
  },
  AccountOpened: {
    former: [{ schema: accountOpened.extend({ displayName: text }), upcast: hideName }],
    schema: accountOpened.extend({ nameDigest: sha256 }),
  },
  ApiKeyIssued: {
    // The key's name, permissions and last characters were public in version 1.
    former: [{ schema: apiKeyIssued, upcast: (old) => old }],
    schema: apiKeyIssued,
  },
  ApiKeyRevoked: {
    former: [],
    schema: z.strictObject({ accountId: uuid, at, keyId: uuid, type: z.literal('ApiKeyRevoked') }),
  },
  MarketActivated: {
    former: [],
    schema: z.strictObject({ at, marketId: id, type: z.literal('MarketActivated') }),
  },
  MarketAmended: {
    former: [],
    schema: z.strictObject({
      at,
      citationUrl: text.nullable(),
      closesAt: z.int(),
      companyImpact: fraction,
      description: text.nullable(),
      drivers: z.array(text),
      marketId: id,
      title: text,
      type: z.literal('MarketAmended'),
    }),
  },
  MarketClosed: {
    former: [],
    schema: z.strictObject({
      at,
      by: z.enum(['operator', 'clock']),
      marketId: id,
      type: z.literal('MarketClosed'),
    }),
  },
  MarketListed: {
    former: [
      {
        schema: marketListedV1,
        // The company's weight and the drivers had no values then; every market had the tick of $0.0001.
        upcast: ({ at, bodyHash, category, citationUrl, closesAt, companySlug, description, ...rest }) => {
          const { marketId, phase, priorUnits, sector, settlementSource, ticker, title, type } = rest;
          const head = { at, bodyHash, category, citationUrl, closesAt, companyImpact: 0, companySlug, description };
          const tail = { marketId, phase, priorUnits, sector, settlementSource, tickUnits: 1, ticker, title, type };
          return { ...head, drivers: [], ...tail };
        },
      },
      // No market was listed closed then; all else is the same.
      { schema: marketListedV2, upcast: (old) => old },
    ],
    schema: z.strictObject({ ...marketListedV2.shape, phase: z.enum(['active', 'scheduled', 'closed']) }),
  },
  MarketPaused: {
    former: [],
    schema: z.strictObject({ at, marketId: id, type: z.literal('MarketPaused') }),
  },
  MarketResolved: {
    former: [],
    schema: z.strictObject({
      at,
      citationUrl: text.nullable(),
      headline: text.nullable(),
      marketId: id,
      outcome,
      poolUnits: units,
      source: text.nullable(),
      type: z.literal('MarketResolved'),
    }),
  },
  MarketSettled: {
    former: [],
    schema: z.strictObject({
      at,
      cancelledOrders: count,
      marketId: id,
      paidUnits: units,
      settledAccounts: count,
      type: z.literal('MarketSettled'),
    }),
  },
  MarketVoided: {
    former: [],
    schema: z.strictObject({
      at,
      marketId: id,
      poolUnits: units,
      priceUnits,
      reason: text,
      type: z.literal('MarketVoided'),
    }),
  },
  OrderCancelled: {
    former: [],
    schema: z.strictObject({
      accountId: uuid,
      at,
      marketId: id,
      orderId: uuid,
      outcome,
      priceUnits,
      quantity: count,
      reason: z.enum([
        'user',
        'ioc_remainder',
        'fok_unfillable',
        'self_trade',
        'no_liquidity',
        'fill_limit',
        'market_closed',
        'market_resolved',
      ]),
      resting: z.boolean(),
      side,
      type: z.literal('OrderCancelled'),
    }),
  },
  OrderFilled: {
    former: [],
    schema: z.strictObject({
      at,
      kind: z.enum(['transfer', 'mint', 'merge']),
      makerAccountId: uuid,
      makerCostUnits: units,
      makerOrderId: uuid,
      makerOutcome: outcome,
      makerRemaining: count,
      makerSide: side,
      marketId: id,
      quantity: positive,
      takerAccountId: uuid,
      takerCostUnits: units,
      takerOrderId: uuid,
      takerOutcome: outcome,
      takerRemaining: count,
      takerSide: side,
      type: z.literal('OrderFilled'),
      yesPriceUnits: priceUnits,
    }),
  },
  OrderPlaced: {
    former: [],
    schema: z.strictObject({
      accountId: uuid,
      at,
      fillQuantity: count,
      marketId: id,
      notionalUnits: units.nullable(),
      orderId: uuid,
      orderType: z.enum(['limit', 'market']),
      outcome,
      priceUnits,
      quantity: count,
      restQuantity: count,
      side,
      timeInForce: z.enum(['GTC', 'IOC', 'FOK']),
      type: z.literal('OrderPlaced'),
    }),
  },
  PositionSettled: {
    former: [],
    schema: z.strictObject({
      accountId: uuid,
      at,
      costUnits: units,
      marketId: id,
      outcome,
      payoutUnits: units,
      shares: positive,
      type: z.literal('PositionSettled'),
    }),
  },
  SignalRecorded: {
    former: [],
    schema: z.strictObject({
      at,
      citationUrl: text,
      confidence: z.number().nullable(),
      event: text.nullable(),
      externalId: text,
      factValue: z.number().nullable(),
      fairProb: z.number().nullable(),
      freshnessMs: z.number().nullable(),
      headline: text,
      marketId: id.nullable(),
      publishedAt: z.int(),
      source: text,
      threshold: z.number().nullable(),
      type: z.literal('SignalRecorded'),
    }),
  },
  SubAccountOpened: {
    former: [{ schema: subAccountOpened.extend({ displayName: text }), upcast: hideName }],
    schema: subAccountOpened.extend({ nameDigest: sha256 }),
  },
  WriterEpochStarted: {
    former: [{ schema: writerEpochStartedV1, upcast: (old) => ({ ...old, settings: settingsOfV1(old['settings']) }) }],
    schema: z.strictObject({
      ...writerEpochStartedV1.shape,
      settings: z.strictObject({
        ...settingsV1.shape,
        revokedKeyWindowMs: count,
        revokedKeysPerAccount: count,
      }),
    }),
  },
};

// Kept beside the table: the hot paths ask for these at every event.
const upcastsOf = new Map<string, readonly Upcast[]>(
  Object.entries(EVENT_FORMATS).map(([type, format]) => [type, format.former.map(({ upcast }) => upcast)]),
);

/** The version that an event of this type is stored in. */
export function eventVersion(type: EventType): number {
  return EVENT_FORMATS[type].former.length + 1;
}

/** A stored event in its current version. @throws Error for an unknown type or version. */
export function upcastEvent(stored: Stored, version: number): Stored {
  const type = String(stored['type']);
  const steps = upcastsOf.get(type);
  if (steps === undefined) throw new Error(`event type ${type} is unknown here`);
  return upcastStepwise(`event ${type}`, stored, version, steps);
}
