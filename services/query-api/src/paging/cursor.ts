import { createHmac, timingSafeEqual } from 'node:crypto';
import { cursorRefused } from '@paper/contracts';
import type { Caller, Endpoint } from '@paper/contracts';
import type { z } from 'zod';

/** The version of cursors; one of another version is refused. */
const VERSION = 2;
/** The length of a 128-bit MAC in base64url. */
const MAC_LENGTH = 22;

/** The scope of a cursor: further pages of one list, for one account, with the same filters. */
export interface CursorScope {
  readonly list: string;
  /** The account that the list belongs to; null if all callers get the same list. */
  readonly account: string | null;
  /** The path and query parameters that determine the list's content. */
  readonly filters: Readonly<Record<string, unknown>>;
}

/** Parameters that change only how a list is cut into pages and written, not its content. */
const FORM: ReadonlySet<string> = new Set(['cursor', 'fields', 'format', 'limit']);

export function cursorScope(
  { id, auth }: Pick<Endpoint, 'id' | 'auth'>,
  caller: Caller,
  parameters: Readonly<Record<string, unknown>>,
): CursorScope {
  return {
    list: id,
    account: auth === 'key' && caller.kind === 'key' ? caller.accountId : null,
    filters: Object.fromEntries(Object.entries(parameters).filter(([name]) => !FORM.has(name))),
  };
}

/** Makes a cursor with this content, signed for its scope. Everyone can read it. */
export function sealCursor(secret: Buffer, scope: CursorScope, content: string): string {
  const body = Buffer.from(content).toString('base64url');
  return body + macOf(secret, scope, body);
}

/** Reads the position in a cursor. Throws Refused for one of another scope or secret, or without a position. */
export function openCursor<Position>(
  secret: Buffer,
  scope: CursorScope,
  cursor: string,
  position: z.ZodType<Position>,
): Position {
  const body = cursor.slice(0, -MAC_LENGTH);
  const given = Buffer.from(cursor.slice(-MAC_LENGTH));
  const right = Buffer.from(macOf(secret, scope, body));
  if (given.length !== right.length || !timingSafeEqual(given, right)) throw cursorRefused();
  const parsed = position.safeParse(parseJson(Buffer.from(body, 'base64url').toString()));
  if (!parsed.success) throw cursorRefused();
  return parsed.data;
}

function macOf(secret: Buffer, { list, account, filters }: CursorScope, body: string): string {
  const given = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHmac('sha256', secret)
    .update(JSON.stringify([VERSION, list, account, given, body]))
    .digest('base64url')
    .slice(0, MAC_LENGTH);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw cursorRefused();
  }
}
