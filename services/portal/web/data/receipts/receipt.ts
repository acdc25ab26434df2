import type { OrderBody } from '@paper/contracts/orders';

export type ReceiptOrder = Pick<
  OrderBody,
  'id' | 'marketId' | 'side' | 'outcome' | 'orderType' | 'price' | 'quantity' | 'status'
>;

/** The proof that the service acknowledged a command: sequence and hash of the last event of its decision. */
export interface Receipt {
  readonly accountId: string;
  /** X-Journal-Seq of the answer. */
  readonly seq: number;
  /** X-Journal-Hash of the answer: 64 hex digits. */
  readonly hash: string;
  /** By this device's clock: ISO 8601 in UTC. */
  readonly receivedAt: string;
  readonly order: ReceiptOrder;
}

/** A receipt to check. It has no order if it was typed from the headers of an answer. */
export type CheckedReceipt = Pick<Receipt, 'seq' | 'hash'> & Partial<Receipt>;

/** A file or text in an invalid format. Its message is for people. */
export class InvalidFile extends Error {
  override readonly name = 'InvalidFile';
}

const FORMAT = 'paper-trading-receipts/1';

/** The receipt in the headers of an answer to a command about an order; null for none. */
export function receiptOf(accountId: string, order: ReceiptOrder, headers: Headers, now: Date): Receipt | null {
  const hash = headers.get('x-journal-hash');
  const seq = Number(headers.get('x-journal-seq'));
  if (hash === null || !isHash(hash) || !isSequence(seq)) return null;
  return { accountId, seq, hash, receivedAt: now.toISOString(), order: orderOf(order) };
}

export function receiptsText(receipts: readonly Receipt[]): string {
  return `${JSON.stringify({ format: FORMAT, receipts }, null, 2)}\n`;
}

/** Reads a file of receipts. Throws InvalidFile that describes its first fault. */
export function parseReceipts(text: string): readonly Receipt[] {
  const file = parseJson(text);
  if (!isObject(file) || file['format'] !== FORMAT || !Array.isArray(file['receipts'])) {
    throw new InvalidFile(`This is no file of receipts: it must have the format ${FORMAT} and a list of receipts.`);
  }
  return file['receipts'].map(parseReceipt);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidFile('This file is not JSON.');
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

export const isSequence = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1;

function parseReceipt(value: unknown, index: number): Receipt {
  const wrong = (what: string): InvalidFile => new InvalidFile(`Receipt ${index + 1} of the file: ${what}.`);
  if (!isObject(value)) throw wrong('it is no object');
  const { accountId, seq, hash, receivedAt, order } = value;
  if (typeof accountId !== 'string') throw wrong('accountId must be a text');
  if (!isSequence(seq)) throw wrong('seq must be a whole number from 1 on');
  if (!isHash(hash)) throw wrong('hash must be 64 hex digits in lower case');
  if (typeof receivedAt !== 'string' || Number.isNaN(Date.parse(receivedAt))) throw wrong('receivedAt must be a time');
  if (!isOrder(order)) throw wrong('order must have the fields of an order');
  return { accountId, seq, hash, receivedAt, order: orderOf(order) };
}

function isOrder(value: unknown): value is ReceiptOrder {
  if (!isObject(value)) return false;
  const areTexts = ['id', 'marketId', 'side', 'outcome', 'orderType', 'status'].every(
    (name) => typeof value[name] === 'string',
  );
  return areTexts && ['price', 'quantity'].every((name) => typeof value[name] === 'number');
}

function orderOf({ id, marketId, side, outcome, orderType, price, quantity, status }: ReceiptOrder): ReceiptOrder {
  return { id, marketId, side, outcome, orderType, price, quantity, status };
}
