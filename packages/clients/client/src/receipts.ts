import { ReceiptFault } from './errors.ts';
import type { JournalLine } from './generated/api.ts';

/** A proof that the service acknowledged a command: the public journal has this event, with this hash, for ever. */
export interface Receipt {
  /** The journal's sequence of the command's last event. */
  readonly seq: number;
  readonly hash: string;
  /** The command, such as `placeOrder`. */
  readonly operation: string;
  readonly idempotencyKey: string | null;
  /** The time of the answer, in ms since 1970 UTC. */
  readonly receivedAt: number;
}

/** An event of the journal that a receipt names. */
export interface VerifiedReceipt {
  readonly seq: number;
  readonly hash: string;
  /** The event's type, such as `OrderPlaced`. */
  readonly type: string;
  readonly event: unknown;
}

const NO_HASH = '0'.repeat(64);

/**
 * Checks that a line of the journal is the receipt's event: it has this sequence and hash, and its text and the hash of
 * the line before (null for the first event) give that hash. @throws ReceiptFault
 */
export async function checkReceipt(
  { hash, seq }: Pick<Receipt, 'seq' | 'hash'>,
  line: JournalLine | undefined,
  before: JournalLine | null,
): Promise<VerifiedReceipt> {
  if (line === undefined) throw new ReceiptFault(`The journal ends before event ${seq}, which the receipt names.`);
  if (line.seq !== seq) throw new ReceiptFault(`The journal gave event ${line.seq} in place of event ${seq}.`);
  if (line.hash !== hash) {
    throw new ReceiptFault(`Event ${seq} of the journal has the hash ${line.hash}, and the receipt says ${hash}.`);
  }
  const text = await sha256(new TextEncoder().encode(line.publicText));
  const parts = [fromHex(before?.hash ?? NO_HASH), text, fromHex(line.privateDigest)];
  const made = toHex(await sha256(joined(parts)));
  if (made !== hash) throw new ReceiptFault(`The text of event ${seq} gives the hash ${made}, and not ${hash}.`);
  const event = JSON.parse(line.publicText) as { readonly seq?: unknown };
  if (event.seq !== seq) throw new ReceiptFault(`The text of event ${seq} names another sequence.`);
  return { seq, hash, type: line.type, event };
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
