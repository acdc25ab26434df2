import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ApiError, type Endpoint, validationMessage } from '@paper/contracts';
import type { z } from 'zod';
import { parseJson, readBody } from './body.ts';
import { parseQueryString } from './query-string.ts';
import { pathOf } from './request-path.ts';
import type { RequestInput } from './route.ts';
import { assertSafe } from './text-safety.ts';

const NO_BYTES = Buffer.alloc(0);

/**
 * Reads and checks all of a request's form, in this order: parameters, query, Idempotency-Key, body. Only a body has to
 * be waited for. Throws ApiError.
 */
export function readInput(
  endpoint: Endpoint,
  request: IncomingMessage,
  pathParams: Readonly<Record<string, string>>,
): RequestInput | Promise<RequestInput> {
  const params = parse(endpoint.params, pathParams, 'params');
  const query = endpoint.query === null ? null : parse(endpoint.query, parseQueryString(request.url ?? ''), 'query');
  const key = endpoint.idempotent ? idempotencyKey(request) : null;
  const whole = (bytes: Buffer, body: unknown): RequestInput => ({
    params,
    query,
    body,
    idempotency: key === null ? null : { key, fingerprint: fingerprint(request, bytes) },
  });
  // A body is ignored where the endpoint takes none; Node discards it after the answer.
  if (endpoint.body === null) return whole(NO_BYTES, null);
  const { body } = endpoint;
  return readBody(request, endpoint.maxBodyBytes).then((bytes) => whole(bytes, parse(body, parseJson(bytes), 'body')));
}

function parse(schema: z.ZodType | null, value: unknown, from: 'params' | 'query' | 'body'): unknown {
  if (schema === null) return null;
  // A query's unknown names are ignored, whatever they hold, so there it is what the schema leaves that counts.
  if (from !== 'query') assertSafe(value, from);
  const result = schema.safeParse(value);
  if (!result.success) throw new ApiError('validation_failed', validationMessage(result.error));
  if (from === 'query') assertSafe(result.data, from);
  return result.data;
}

function idempotencyKey(request: IncomingMessage): string | null {
  const values = request.headersDistinct['idempotency-key'];
  if (values === undefined) return null;
  const [value] = values;
  if (values.length > 1 || value === undefined || !/^[\x20-\x7e]{1,255}$/.test(value)) {
    throw new ApiError(
      'validation_failed',
      'validation failure: Idempotency-Key: must be 1 to 255 printable ASCII characters, given once',
    );
  }
  return value;
}

/** Two requests are the same when method, path (without query) and the body's bytes are. */
function fingerprint(request: IncomingMessage, bytes: Buffer): string {
  return createHash('sha256')
    .update(`${request.method}\n${pathOf(request)}\n`)
    .update(bytes)
    .digest('hex');
}
