import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ApiError, validationMessage } from '@paper/contracts';
import type { Endpoint } from '@paper/contracts';
import type { z } from 'zod';
import { andThen } from './and-then.ts';
import { pathOf } from './call.ts';
import { timesGiven } from './raw-headers.ts';
import { parseQueryString } from './query-string.ts';
import type { RequestInput } from './route.ts';

const NO_BYTES = Buffer.alloc(0);
const DEPTH_MAX = 32;
const SURROGATES = /[\uD800-\uDFFF]/u;
/** The most bytes of a refused request that are read, so that the client receives the answer instead of a reset. */
const DISCARD_BYTES_MAX = 8 * 1024 * 1024;
const DISCARD_MS_MAX = 1_000;

export type DeclaredInput = Pick<Endpoint, 'params' | 'query' | 'body' | 'idempotent' | 'items' | 'maxBodyBytes'>;

/** Reads and checks parameters, query, Idempotency-Key, then the body, which is parsed only after `beforeParsing`. */
export function readInput(
  endpoint: DeclaredInput,
  request: IncomingMessage,
  pathParams: Readonly<Record<string, string>>,
  beforeParsing: () => void | Promise<void> = () => undefined,
): RequestInput | Promise<RequestInput> {
  const params = parsePart(endpoint.params, pathParams, 'params');
  const query =
    endpoint.query === null ? null : parsePart(endpoint.query, parseQueryString(request.url ?? ''), 'query');
  const key = endpoint.idempotent ? idempotencyKey(request) : null;
  const whole = (bytes: Buffer, body: unknown): RequestInput => ({
    params,
    query,
    body,
    idempotency: key === null ? null : { key, fingerprint: fingerprint(request, bytes) },
  });
  // A body is ignored if the endpoint takes none; Node discards it after the answer.
  if (endpoint.body === null) return whole(NO_BYTES, null);
  const { body, items } = endpoint;
  const parse = (bytes: Buffer): RequestInput => {
    const without = bytes.length === 0 ? body.safeParse(undefined) : null;
    if (without?.success === true) return whole(bytes, without.data);
    const text = textOf(bytes);
    const value = parseJson(text);
    if (!isPlain(text)) assertSafe(withoutItems(value, items), 'body');
    return whole(bytes, checked(body, value));
  };
  return readBody(request, endpoint.maxBodyBytes).then((bytes) => andThen(beforeParsing(), () => parse(bytes)));
}

/** Checks one item of a list whose items are judged one by one. Throws ApiError. */
export function readItem<S extends z.ZodType>(schema: S, item: unknown): z.output<S> {
  assertSafe(item, 'body');
  return checked(schema, item) as z.output<S>;
}

function withoutItems(value: unknown, items: string | null): unknown {
  if (items === null || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name, inner]) => name !== items || !Array.isArray(inner)));
}

function parsePart(schema: z.ZodType | null, value: unknown, from: 'params' | 'query'): unknown {
  if (schema === null) return null;
  // Unknown names in a query are ignored, whatever they hold. So there the check applies to what the schema leaves.
  if (from !== 'query') assertSafe(value, from);
  const data = checked(schema, value);
  if (from === 'query') assertSafe(data, from);
  return data;
}

function checked(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (!result.success) throw new ApiError('validation_failed', validationMessage(result.error));
  return result.data;
}

function idempotencyKey({ headers, rawHeaders }: IncomingMessage): string | null {
  const value = headers['idempotency-key'];
  if (value === undefined) return null;
  const isOne = timesGiven(rawHeaders, 'idempotency-key') === 1;
  if (!isOne || typeof value !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(value)) {
    throw new ApiError(
      'validation_failed',
      'validation failure: Idempotency-Key: must be 1 to 255 printable ASCII characters, given once',
    );
  }
  return value;
}

function fingerprint(request: IncomingMessage, bytes: Buffer): string {
  return createHash('sha256')
    .update(`${request.method}\n${pathOf(request)}\n`)
    .update(bytes)
    .digest('hex');
}

/**
 * Refuses what storage cannot hold or schemas may overlook: NUL and lone surrogates in any text, a name `__proto__`,
 * and too deep nesting. Walks without recursion, so that no depth exhausts the stack.
 */
function assertSafe(value: unknown, root: 'body' | 'query' | 'params'): void {
  const waiting: { value: unknown; path: string; depth: number }[] = [{ value, path: '', depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, depth } = next;
    if (typeof next.value === 'string') assertText(next.value, path === '' ? root : path);
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (depth >= DEPTH_MAX) fail(root, `nested deeper than ${DEPTH_MAX} levels`);
    for (const [name, inner] of Object.entries(next.value)) {
      assertText(name, path === '' ? root : path);
      if (name === '__proto__') fail(path === '' ? root : path, 'unknown field "__proto__"');
      waiting.push({ value: inner, path: path === '' ? name : `${path}.${name}`, depth: depth + 1 });
    }
  }
}

/** Whether a JSON text has none of what `assertSafe` refuses: most of it can only appear escaped. */
function isPlain(text: string): boolean {
  return !text.includes('\\u') && !text.includes('__proto__') && opensAtMost(text, DEPTH_MAX);
}

/** Whether a text has at most this many opening brackets, which bounds the depth of a JSON text. */
function opensAtMost(text: string, max: number): boolean {
  let left = max;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (left === 0) return false;
      left -= 1;
    }
  }
  return true;
}

function assertText(text: string, field: string): void {
  if (text.includes('\u0000')) fail(field, 'must not contain the character NUL');
  // With the u flag a surrogate pair is one code point, so only lone surrogates match.
  if (SURROGATES.test(text)) fail(field, 'must not contain half of a surrogate pair');
}

function fail(field: string, what: string): never {
  throw new ApiError('validation_failed', `validation failure: ${field.slice(0, 200)}: ${what}`);
}

/** Reads a whole JSON body: 415 for another type or a content coding, 413 over `maxBytes`, 400 if it is cut. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const length = request.headers['content-length'];
  const chunked = request.headers['transfer-encoding'] !== undefined;
  const type = request.headers['content-type'];
  if (type === undefined && !chunked && (length === undefined || length === '0')) return NO_BYTES;
  assertJson(type, request.headers['content-encoding']);
  if (length !== undefined && Number(length) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      request.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= maxBytes) return;
      stop();
      request.pause();
      reject(tooLarge(maxBytes));
    };
    const onEnd = (): void => {
      stop();
      // Most bodies arrive in one piece, which needs no copy.
      const [first = NO_BYTES] = chunks;
      resolve(chunks.length <= 1 ? first : Buffer.concat(chunks, bytes));
    };
    const onCut = (): void => {
      stop();
      reject(new ApiError('validation_failed', 'validation failure: body: it ended before it was complete'));
    };
    request.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
  });
}

export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  return parseJson(textOf(await readBody(request, maxBytes)));
}

function textOf(bytes: Buffer): string {
  if (bytes.length === 0) {
    throw new ApiError('validation_failed', 'validation failure: body: a JSON object is required');
  }
  if (!isUtf8(bytes)) throw new ApiError('validation_failed', 'validation failure: body: not valid UTF-8');
  // A byte order mark is kept, so that JSON.parse refuses it: RFC 8259 forbids sending one.
  return bytes.toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ApiError('validation_failed', 'validation failure: body: not valid JSON');
  }
}

/**
 * Prepares the answer to a request whose body was not read. Resolves to whether the connection can be kept. Node
 * discards a short body after the answer. A body that is long, chunked, or the last on its connection is discarded
 * here, up to a limit: closing earlier would reset the connection, and the client might lose the answer.
 */
export async function settleUnreadBody(request: IncomingMessage, staysOpen: boolean): Promise<boolean> {
  if (request.complete || request.destroyed) return true;
  const length = request.headers['content-length'];
  if (length === undefined && request.headers['transfer-encoding'] === undefined) return true;
  if (staysOpen && length !== undefined && Number(length) <= DISCARD_BYTES_MAX) return true;
  let bytes = 0;
  return new Promise((resolve) => {
    const settle = (complete: boolean): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      resolve(complete);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > DISCARD_BYTES_MAX) settle(false);
    };
    const onEnd = (): void => settle(true);
    const onCut = (): void => settle(false);
    const timer = setTimeout(onCut, DISCARD_MS_MAX);
    request.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
    request.resume();
  });
}

function assertJson(type: string | undefined, coding: string | undefined): void {
  if (type === 'application/json' && coding === undefined) return;
  const [essence = '', ...parameters] = (type ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charsets = parameters.filter((part) => part.startsWith('charset='));
  const utf8 = charsets.every((part) => /^charset="?utf-?8"?$/.test(part));
  if (essence !== 'application/json' || !utf8) {
    throw new ApiError('unsupported_media_type', 'The body must be application/json in UTF-8');
  }
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
    throw new ApiError('unsupported_media_type', 'The body must be sent without a content coding');
  }
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('payload_too_large', `The body is larger than ${maxBytes} bytes`);
}
