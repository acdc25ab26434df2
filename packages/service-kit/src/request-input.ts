import { createHash } from 'node:crypto';
import { ApiError, type Endpoint, validationMessage } from '@paper/contracts';
import type { Request } from 'express';
import type { z } from 'zod';
import { parseJson, readBody } from './body.ts';
import { parseQueryString } from './query-string.ts';
import type { RequestInput } from './route.ts';
import { assertSafe } from './text-safety.ts';

/** Reads and checks all of a request's form, in this order: parameters, query, Idempotency-Key, body. Throws ApiError. */
export async function readInput(endpoint: Endpoint, request: Request): Promise<RequestInput> {
  const params = parse(endpoint.params, { ...request.params }, 'params');
  const query = endpoint.query === null ? null : parse(endpoint.query, parseQueryString(request.url), 'query');
  const key = endpoint.idempotent ? idempotencyKey(request) : null;
  // Where the endpoint takes no body, one that is sent means nothing; Node reads it off after the answer.
  const bytes = endpoint.body === null ? Buffer.alloc(0) : await readBody(request, endpoint.maxBodyBytes);
  const body = endpoint.body === null ? null : parse(endpoint.body, parseJson(bytes), 'body');
  return { params, query, body, idempotency: key === null ? null : { key, fingerprint: fingerprint(request, bytes) } };
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

function idempotencyKey(request: Request): string | null {
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
function fingerprint(request: Request, bytes: Buffer): string {
  return createHash('sha256').update(`${request.method}\n${request.path}\n`).update(bytes).digest('hex');
}
