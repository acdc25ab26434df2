import { fitsSchema } from '@paper/journal';
import { z } from 'zod';

/** Formats of the fields of events and commands, declared without code of the exchange. */
export const text = z.string().refine((value) => value.isWellFormed(), 'a lone surrogate has no UTF-8 text');
export const texts = z.array(text).readonly();
export const id = text.min(1);
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const uuid = z.string().regex(UUID);
export const SHA256 = /^[0-9a-f]{64}$/;
export const sha256 = z.string().regex(SHA256);
/** A display name under the first rules: 2 to 24 code points. */
export const formerName = text.refine((name) => {
  const { length } = Array.from(name);
  return length >= 2 && length <= 24;
}, 'a display name has 2 to 24 characters');
export const last4 = text.length(4);
export const time = z.int().nonnegative();
export const whole = z.int().nonnegative();
export const positive = z.int().positive();
export const fraction = z.number().min(0).max(1);
export const priceUnits = z.int().min(0).max(10_000);
export const outcome = z.enum(['yes', 'no']);
export const side = z.enum(['buy', 'sell']);
export const permission = z.enum(['view', 'trade', 'master', 'reconcile']);
export const permissions = z.array(permission).readonly();

/** The limits of a key; null for a limit that is not set. */
export const mandate = z.strictObject({
  marketIds: z.array(id).readonly().nullable(),
  maxOrderCostUnits: whole.nullable(),
  maxReservedUnits: whole.nullable(),
  maxShares: whole.nullable(),
  reduceOnly: z.boolean().nullable(),
  spendPerDayUnits: whole.nullable(),
});

/** Describes the first invalid part of a value; null for a valid value. */
export function firstIssue(schema: z.ZodType, value: unknown): string | null {
  if (fitsSchema(schema, value)) return null;
  const parsed = schema.safeParse(value);
  if (parsed.success) return null;
  const [issue] = parsed.error.issues;
  return `${issue?.path.map((key) => `${String(key)}: `).join('') ?? ''}${issue?.message ?? ''}`;
}
