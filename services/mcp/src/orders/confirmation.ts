import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { orderInput } from './order-input.ts';

export const CONFIRM_WITHIN_MS = 5 * 60_000;

export const PREPARED_ORDERS_MAX = 20;

/** The version of the confirmation's format, which is signed too. */
const VERSION = 'paper2';

const Content = z.strictObject({
  id: z.string().regex(/^mcp-[\w-]{22}$/),
  keyId: z.string().min(1),
  orders: z
    .array(
      z.strictObject({
        order: orderInput,
        /** Dollars per share: a buy pays no more, a sale gets no less. */
        boundPrice: z.number(),
      }),
    )
    .min(1)
    .max(PREPARED_ORDERS_MAX),
  expiresAt: z.int(),
});

/** The signed content of prepared orders: one order, or several that are confirmed as a whole. */
export type Confirmation = z.output<typeof Content>;

/** A new id of prepared orders: 128 random bits. */
export function newConfirmationId(): string {
  return `mcp-${randomBytes(16).toString('base64url')}`;
}

/** Signs prepared orders, and verifies signed ones. It keeps no state, so any process with the secret can confirm. */
export class Confirmations {
  /** `secrets`: at least one; the first signs, all are accepted. */
  constructor(private readonly secrets: readonly string[]) {
    if (secrets.length === 0) throw new Error('a secret is needed to sign prepared orders');
  }

  /** The text that confirms the orders: three parts in base64url, with dots between; compressed, for models to copy. */
  sign(content: Confirmation): string {
    const signed = `${VERSION}.${deflateRawSync(JSON.stringify(content)).toString('base64url')}`;
    return `${signed}.${signatureOf(signed, this.secrets[0] ?? '').toString('base64url')}`;
  }

  /** Reads a text that `sign` returned; null for any other text, even if it differs in a single character. */
  read(text: string): Confirmation | null {
    const [version, payload, signature, ...rest] = text.split('.');
    if (version !== VERSION || payload === undefined || signature === undefined || rest.length > 0) return null;
    const given = Buffer.from(signature, 'base64url');
    // Other values of the unused last bits would give a different text with the same bytes.
    if (given.toString('base64url') !== signature) return null;
    if (!this.secrets.some((secret) => isSame(signatureOf(`${version}.${payload}`, secret), given))) return null;
    const json = inflateRawSync(Buffer.from(payload, 'base64url')).toString();
    const content = Content.safeParse(JSON.parse(json));
    return content.success ? content.data : null;
  }
}

function signatureOf(text: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(text).digest();
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
