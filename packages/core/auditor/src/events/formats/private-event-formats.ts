import { z } from 'zod';
import { last4, mandate, permissions, sha256, text, time, uuid, whole } from './values.ts';

/** The private fields of events by version, oldest first; null, or no entry, for none. */
const FORMATS: Readonly<Record<string, readonly (z.ZodType | null)[]>> = {
  ApiKeyIssued: [
    z.strictObject({ keyHash: sha256 }),
    z.strictObject({ keyHash: sha256, last4, name: text, permissions }),
  ],
  DeadManSwitchSet: [z.strictObject({ cancelsAt: time.nullable() })],
  MandateSet: [z.strictObject({ mandate: mandate.nullable() })],
  OrderAmended: [null, z.strictObject({ clientOrderId: text.nullable() })],
  OrderPlaced: [null, z.strictObject({ clientOrderId: text.nullable(), keyId: uuid.nullable(), spentUnits: whole })],
  OrderReplaced: [
    z.strictObject({ keyId: uuid, spentUnits: whole }),
    z.strictObject({ clientOrderId: text.nullable(), keyId: uuid, spentUnits: whole }),
  ],
  SubAccountOpened: [null, z.strictObject({ permissions, primaryAccountId: uuid })],
};

/** The format of an event's private part; null for none, undefined for a version that this auditor does not have. */
export function privateEventFormat(type: string, version: unknown): z.ZodType | null | undefined {
  const versions = Object.hasOwn(FORMATS, type) ? FORMATS[type] : undefined;
  return versions === undefined ? null : versions[Number(version) - 1];
}
