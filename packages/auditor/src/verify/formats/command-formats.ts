import { z } from 'zod';
import {
  formerName,
  fraction,
  id,
  last4,
  outcome,
  permissions,
  positive,
  priceUnits,
  sha256,
  text,
  time,
  uuid,
  whole,
} from './values.ts';

/** The stored format of a command in one version: its public and its private fields. */
export interface CommandFormat {
  readonly visible: z.ZodObject;
  readonly hidden: z.ZodObject;
}

const actor = z.discriminatedUnion('kind', [
  z.strictObject({ accountId: uuid, keyId: uuid, kind: z.literal('key') }),
  z.strictObject({ kind: z.literal('operator'), name: text }),
  z.strictObject({ kind: z.literal('system') }),
]);

const idempotency = z.strictObject({ fingerprint: text, index: whole.nullable().optional(), key: text });

/** The sender and the client's Idempotency-Key, private in every command. */
const sender = { by: actor, idempotency: idempotency.nullable() };

function format(type: string, fields: z.ZodRawShape, secret: z.ZodRawShape = {}): CommandFormat {
  return {
    hidden: z.strictObject({ ...sender, ...secret }),
    visible: z.strictObject({ at: time, type: z.literal(type), ...fields }),
  };
}

const ofMarket = (type: string): readonly CommandFormat[] => [format(type, { marketId: id })];

const listingV1 = {
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
};
const listingV2 = {
  ...listingV1,
  companyImpact: fraction,
  drivers: z.array(text),
  tickUnits: z.union([z.literal(1), z.literal(10), z.literal(100)]),
};
const listingV3 = { ...listingV2, phase: z.enum(['active', 'scheduled', 'closed']) };

const settingsV1 = {
  complianceMode: z.enum(['paper', 'kyc']),
  fillsPerCommand: positive,
  idempotencyEntries: whole,
  idempotencyWindowMs: whole,
  liveKeysPerAccount: whole,
  openOrdersPerAccount: whole,
  runChunk: positive,
  startingBalanceUnits: whole,
  subAccountsPerPrimary: whole,
};
const settingsV2 = { ...settingsV1, revokedKeyWindowMs: whole, revokedKeysPerAccount: whole };
const epoch = (settings: z.ZodRawShape): z.ZodRawShape => ({
  build: text,
  rulesVersion: positive,
  settings: z.strictObject(settings),
  writerId: text,
});

/**
 * Version 1 had the account's name and the key's permissions and last characters in public. Its rules checked the
 * name's length. A command that is decided again has a digest in place of the name, so the length is checked here.
 */
const keyHash = { keyHash: sha256 };
const opened = { accountId: uuid, keyId: uuid };
const openedV1 = { ...opened, displayName: formerName, last4 };
const openedV2 = { ...opened, nameDigest: sha256 };
const balance = { startingBalanceUnits: whole.nullable() };

/** Formats by version, oldest first. */
const FORMATS: Readonly<Record<string, readonly CommandFormat[]>> = {
  ActivateMarket: ofMarket('ActivateMarket'),
  AmendMarket: [
    format('AmendMarket', {
      citationUrl: text.nullable(),
      closesAt: z.int().nullable(),
      companyImpact: fraction.nullable(),
      description: text.nullable(),
      drivers: z.array(text).nullable(),
      marketId: id,
      title: text.nullable(),
    }),
  ],
  ApproveAccount: [format('ApproveAccount', { accountId: uuid })],
  CancelOrder: [format('CancelOrder', { orderId: uuid })],
  CloseMarket: ofMarket('CloseMarket'),
  ContinueRun: ofMarket('ContinueRun'),
  IssueApiKey: [
    format('IssueApiKey', { ...opened, last4, name: text, permissions }, keyHash),
    format('IssueApiKey', opened, { ...keyHash, last4, name: text, permissions }),
  ],
  ListMarket: [listingV1, listingV2, listingV3].map((listing) => format('ListMarket', listing)),
  OpenAccount: [
    format('OpenAccount', { ...openedV1, ...balance, permissions }, keyHash),
    format('OpenAccount', { ...openedV2, ...balance }, { ...keyHash, last4, permissions }),
  ],
  OpenSubAccount: [
    format('OpenSubAccount', { ...openedV1, permissions: permissions.nullable() }, keyHash),
    format('OpenSubAccount', openedV2, { ...keyHash, last4, permissions: permissions.nullable() }),
  ],
  PauseMarket: ofMarket('PauseMarket'),
  PlaceOrder: [
    format('PlaceOrder', {
      marketId: id,
      maxPriceUnits: priceUnits.nullable(),
      notionalUnits: positive.nullable(),
      offTick: z.boolean(),
      orderId: uuid,
      orderType: z.enum(['limit', 'market']),
      outcome,
      priceUnits: priceUnits.nullable(),
      quantity: positive.nullable(),
      side: z.enum(['buy', 'sell']),
      slippageUnits: whole.nullable(),
      timeInForce: z.enum(['GTC', 'IOC', 'FOK']),
    }),
  ],
  RecordSignal: [
    format('RecordSignal', {
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
    }),
  ],
  ResolveMarket: [
    format('ResolveMarket', {
      citationUrl: text.nullable(),
      headline: text.nullable(),
      marketId: id,
      outcome,
      source: text.nullable(),
    }),
  ],
  RevokeApiKey: [format('RevokeApiKey', { keyId: uuid })],
  StartWriterEpoch: [settingsV1, settingsV2].map((settings) => format('StartWriterEpoch', epoch(settings))),
  VoidMarket: [format('VoidMarket', { marketId: id, priceUnits: priceUnits.nullable(), reason: text })],
};

/** Undefined for a type or version that this auditor does not have. */
export function commandFormat(type: unknown, version: unknown): CommandFormat | undefined {
  if (typeof type !== 'string' || !Object.hasOwn(FORMATS, type)) return undefined;
  return FORMATS[type]?.[Number(version) - 1];
}
