import { z } from 'zod';
import {
  formerName,
  fraction,
  id,
  last4,
  mandate,
  outcome,
  permissions,
  positive,
  priceUnits,
  sha256,
  side,
  text,
  texts,
  time,
  uuid,
  whole,
} from './values.ts';

/** The auditor's own declarations of commands. Money is in units of $0.0001, times in ms since 1970 UTC. */

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
const sender = { by: actor, idempotency: idempotency.nullable() };

const format = <Type extends string, Visible extends z.ZodRawShape>(type: Type, fields: Visible) =>
  formatWith(sender, type, fields);

function formatWith<Hidden extends z.ZodRawShape, Type extends string, Visible extends z.ZodRawShape>(
  hidden: Hidden,
  type: Type,
  fields: Visible,
) {
  return {
    hidden: z.strictObject(hidden),
    visible: z.strictObject({ at: time, type: z.literal(type), ...fields }),
  };
}

const ofMarket = <Type extends string>(type: Type) => [format(type, { marketId: id })] as const;

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
  drivers: texts,
  tickUnits: z.int().refine((units) => [1, 10, 100].includes(units), 'a tick is 1, 10 or 100 units'),
};
export const listing = { ...listingV2, phase: z.enum(['active', 'scheduled', 'closed']) };

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
export const settings = { ...settingsV1, revokedKeyWindowMs: whole, revokedKeysPerAccount: whole };
const epoch = { build: text, rulesVersion: positive, writerId: text };

export const signal = {
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
};

const keyHash = { ...sender, keyHash: sha256 };
const opened = { accountId: uuid, keyId: uuid };
/** The schema checks the name's length, as rules version 1 did: the twin has only the name's digest. */
const openedV1 = { ...opened, displayName: formerName, last4 };
const openedV2 = { ...opened, nameDigest: sha256 };
const balance = { startingBalanceUnits: whole.nullable() };

const orderV1 = {
  marketId: id,
  maxPriceUnits: priceUnits.nullable(),
  notionalUnits: positive.nullable(),
  offTick: z.boolean(),
  orderId: uuid,
  orderType: z.enum(['limit', 'market']),
  outcome,
  priceUnits: priceUnits.nullable(),
  quantity: positive.nullable(),
  side,
  slippageUnits: whole.nullable(),
  timeInForce: z.enum(['GTC', 'IOC', 'FOK']),
};
const order = { ...orderV1, expiresAt: time.nullable(), postOnly: z.boolean() };
const ownerOfOrder = { accountId: uuid.nullable(), clientOrderId: text.nullable() };

const FORMATS = {
  ActivateMarket: ofMarket('ActivateMarket'),
  AmendMarket: [
    format('AmendMarket', {
      citationUrl: text.nullable(),
      closesAt: z.int().nullable(),
      companyImpact: fraction.nullable(),
      description: text.nullable(),
      drivers: texts.nullable(),
      marketId: id,
      title: text.nullable(),
    }),
  ],
  AmendOrder: [
    format('AmendOrder', {
      offTick: z.boolean(),
      orderId: uuid,
      priceUnits: priceUnits.nullable(),
      quantity: positive.nullable(),
    }),
  ],
  ApproveAccount: [format('ApproveAccount', { accountId: uuid })],
  CancelOrder: [format('CancelOrder', { orderId: uuid })],
  CancelOrders: [
    format('CancelOrders', {
      accountId: uuid,
      marketId: id.nullable(),
      outcome: outcome.nullable(),
      side: side.nullable(),
    }),
  ],
  CloseAccount: [format('CloseAccount', { accountId: uuid })],
  CloseMarket: ofMarket('CloseMarket'),
  ContinueClosing: [format('ContinueClosing', { accountId: uuid })],
  ContinueRun: ofMarket('ContinueRun'),
  ExpireOrders: [format('ExpireOrders', {})],
  FireDeadManSwitch: [format('FireDeadManSwitch', { accountId: uuid })],
  ForgetDisplayNames: [format('ForgetDisplayNames', { accountId: uuid })],
  IssueApiKey: [
    formatWith(keyHash, 'IssueApiKey', { ...opened, last4, name: text, permissions }),
    formatWith({ ...keyHash, last4, name: text, permissions }, 'IssueApiKey', opened),
  ],
  ListMarket: [format('ListMarket', listingV1), format('ListMarket', listingV2), format('ListMarket', listing)],
  MergeShares: [format('MergeShares', { marketId: id, quantity: positive.nullable() })],
  OpenAccount: [
    formatWith(keyHash, 'OpenAccount', { ...openedV1, ...balance, permissions }),
    formatWith({ ...keyHash, last4, permissions }, 'OpenAccount', { ...openedV2, ...balance }),
  ],
  OpenSubAccount: [
    formatWith(keyHash, 'OpenSubAccount', { ...openedV1, permissions: permissions.nullable() }),
    formatWith({ ...keyHash, last4, permissions: permissions.nullable() }, 'OpenSubAccount', openedV2),
  ],
  PauseMarket: ofMarket('PauseMarket'),
  PlaceOrder: [format('PlaceOrder', orderV1), formatWith({ ...sender, ...ownerOfOrder }, 'PlaceOrder', order)],
  RecordSignal: [format('RecordSignal', signal)],
  RenameAccount: [format('RenameAccount', { nameDigest: sha256 })],
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
  SetDeadManSwitch: [formatWith({ ...sender, seconds: whole }, 'SetDeadManSwitch', {})],
  SetMandate: [formatWith({ ...sender, mandate: mandate.nullable() }, 'SetMandate', { keyId: uuid })],
  StartWriterEpoch: [
    format('StartWriterEpoch', { ...epoch, settings: z.strictObject(settingsV1) }),
    format('StartWriterEpoch', { ...epoch, settings: z.strictObject(settings) }),
  ],
  VoidMarket: [format('VoidMarket', { marketId: id, priceUnits: priceUnits.nullable(), reason: text })],
} as const satisfies Readonly<Record<string, readonly CommandFormat[]>>;

export type CommandFormats = typeof FORMATS;

/** The format of a command; undefined for a type or version that this auditor does not have. */
export function commandFormat(type: unknown, version: unknown): CommandFormat | undefined {
  if (typeof type !== 'string' || !Object.hasOwn(FORMATS, type)) return undefined;
  return FORMATS[type as keyof CommandFormats][Number(version) - 1];
}
