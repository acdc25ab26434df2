import type { Random } from '@paper/testkit';
import type { Operation } from './api.ts';
import { draftOf, requestOf } from './request.ts';
import type { Expected, FuzzRequest, FuzzContext } from './request.ts';

/** Makes a request of one kind; returns null if no ids for this kind are known. */
export type Maker = (random: Random, operation: Operation, context: FuzzContext) => FuzzRequest | null;

/** Requests that follow the document. */
export const ORDINARY_MAKERS: readonly (readonly [weight: number, make: Maker])[] = [
  [44, (random, operation, context) => requestOf(draftOf(random, operation, context), 'valid')],
  [
    3,
    (random, operation, context) => {
      const draft = draftOf(random, operation, context);
      if (draft.key === null || operation.auth !== 'key') return null;
      const request = requestOf({ ...draft, key: null }, 'the key in X-Api-Key');
      return { ...request, key: draft.key, headers: [...request.headers, ['x-api-key', draft.key]] };
    },
  ],
  [
    3,
    (random, operation, context) => {
      const draft = draftOf(random, operation, context);
      draft.headers.push(['accept-encoding', random.pick(['gzip', 'br', 'gzip, br;q=0', '*', 'identity;q=0', 'x, ,'])]);
      return requestOf(draft, 'with Accept-Encoding');
    },
  ],
  [
    2,
    (random, operation, context) =>
      operation.isCommand ? null : { ...requestOf(draftOf(random, operation, context), 'HEAD'), method: 'HEAD' },
  ],
  [2, nextPage],
  [4, conditionalRead],
  [3, (random, operation, context) => repeatedCommand(random, operation, context, false)],
  [2, (random, operation, context) => repeatedCommand(random, operation, context, true)],
  [4, streamFromBefore],
];

/** Requests a further page by the link of the previous page. */
function nextPage(random: Random, operation: Operation, { pool }: FuzzContext): FuzzRequest | null {
  const page = pool.pages(operation.id).pick(random);
  if (page === undefined) return null;
  const { key, path } = page;
  return requestOf({ operation, path, key }, 'a further page');
}

/** Makes a conditional read with the ETag of an earlier answer. The answer is the present state, or 304. */
function conditionalRead(random: Random, operation: Operation, { api, pool }: FuzzContext): FuzzRequest | null {
  const tagged = pool.tagged.pick(random);
  if (operation.isCommand || tagged === undefined) return null;
  const { etag, key, operationId, path } = tagged;
  const tag = random.pick([etag, `W/${etag}`, `"x", ${etag}`, '*', '"x"', etag.slice(1)]);
  const draft = { operation: api.operation(operationId), path, key };
  return requestOf({ ...draft, headers: [['if-none-match', tag]] }, 'asked again by its tag');
}

/** Repeats a command with the same Idempotency-Key. The same body gets the same answer, another body a conflict. */
function repeatedCommand(
  random: Random,
  operation: Operation,
  { api, pool }: FuzzContext,
  changed: boolean,
): FuzzRequest | null {
  const done = pool.done.pick(random);
  if (!operation.isCommand || done === undefined) return null;
  const { answer, body, idempotencyKey, key, operationId, path } = done;
  const again = api.operation(operationId);
  // The operation ignores a body that it does not take, so another body does not make another request.
  if (changed && (body === null || again.body === null || isOfItems(body))) return null;
  const request = requestOf({ operation: again, path, key }, changed ? 'done again, with another body' : 'done again');
  return {
    ...request,
    body: body === null ? null : Buffer.from(changed ? `${body} ` : body),
    headers: [
      ...request.headers,
      ['idempotency-key', idempotencyKey],
      ...(body === null ? [] : [['content-type', 'application/json'] as const]),
    ],
    expected: expectedAgain(changed, body, answer),
  };
}

/** The expected answer of a repeat. A batch's refused items are decided again, so their results may differ. */
function expectedAgain(changed: boolean, body: string | null, answer: string): Expected {
  if (changed) return { statuses: [400], code: 'idempotency_conflict' };
  return body !== null && isOfItems(body) ? { statuses: [200] } : { statuses: [200], repeats: answer };
}

/** Whether the Idempotency-Key applies to each item of the body separately. */
function isOfItems(body: string): boolean {
  return body.startsWith('{"commands":') || body.startsWith('{"orders":');
}

/** Resumes an account's stream from a position before some of the account's events. */
function streamFromBefore(_random: Random, operation: Operation, { principals }: FuzzContext): FuzzRequest | null {
  if (!operation.streams || operation.auth !== 'key') return null;
  const draft = { operation, path: operation.template, key: principals.primary };
  return { ...requestOf({ ...draft, headers: [['last-event-id', '1']] }, 'a stream from before'), untilEvent: true };
}
