import { answerBody } from '@paper/testkit/http';
import type { AnswerContract } from '@paper/testkit/http';
import type { FuzzRequest } from './request.ts';
import type { Reply } from './send.ts';

/** The headers of every answer of the HTTP pipeline. Answers to broken HTTP have fewer. */
const ALWAYS = ['x-content-type-options', 'content-security-policy'];
/** A header of every answer of the API. Pages for browsers lack it, since they are served without a log line. */
const REQUEST_ID = 'x-request-id';
/** The statuses of requests that broke HTTP itself. */
const BEFORE_THE_PIPELINE = new Set([400, 408, 431]);

/** Judges one answer and returns its body. @throws Error that names the fault */
export function judge(request: FuzzRequest, reply: Reply, contract: AnswerContract): unknown {
  const { expected, method, operation, path } = request;
  const { headers, status } = reply;
  if (status >= 500 && status !== 503) throw new Error(`a fault of the service: ${status}`);
  const body = method === 'HEAD' && reply.text === '' ? null : bodyOf(reply);
  if (operation === null) {
    judgeRefusal(request, reply, body);
  } else {
    // A stream that the client left before any event has no body to judge.
    const silent = operation.streams && status === 200 && body === null;
    contract.check(silent ? 'HEAD' : method, path, { status, headers, body });
  }
  if (!BEFORE_THE_PIPELINE.has(status)) {
    const isPage = operation === null && headers.get('content-type')?.startsWith('text/html') === true;
    for (const name of isPage ? ALWAYS : [REQUEST_ID, ...ALWAYS]) {
      if (!headers.has(name)) throw new Error(`${status} without ${name}`);
    }
  }
  if (status === 401 && !headers.has('www-authenticate')) throw new Error('401 without WWW-Authenticate');
  // Any request may get a 503 or a 429; its later repeat is judged instead.
  if (expected === null || status === 503 || status === 429) return body;
  const { code, repeats, statuses } = expected;
  if (!statuses.includes(status)) throw new Error(`${status}, where ${statuses.join(' or ')} is right`);
  const answered = (body as { readonly code?: unknown } | null)?.code;
  if (code !== undefined && method !== 'HEAD' && answered !== code) {
    throw new Error(`the code ${String(answered)}, where ${code} is right`);
  }
  if (repeats !== undefined) judgeRepeated(repeats, reply);
  return body;
}

/** The body as the document describes it. The body of a stream is the data of its event. */
function bodyOf({ headers, text }: Reply): unknown {
  const type = headers.get('content-type') ?? '';
  if (!type.startsWith('text/event-stream')) return answerBody(text, type);
  const data = /^data: (.*)$/m.exec(text)?.[1];
  return data === undefined ? null : (JSON.parse(data) as unknown);
}

/** Checks that a request without an operation in the document gets a refusal with `{error, code}`. */
function judgeRefusal({ method }: FuzzRequest, { headers, status }: Reply, body: unknown): void {
  if (status === 405 && !headers.has('allow')) throw new Error('405 without Allow');
  if (status < 400 || method === 'HEAD') return;
  const { code, error, ...more } = (body ?? {}) as Record<string, unknown>;
  if (typeof code !== 'string' || typeof error !== 'string' || error === '' || Object.keys(more).length > 0) {
    throw new Error(`${status} is not {error, code}`);
  }
}

/** The texts that replace erased names: of an account, as in `Trader 90efdd`, and of its keys. */
const FORGOTTEN = [
  { field: 'displayName', shown: /"displayName":"Trader [0-9a-f]{6}"/ },
  { field: 'name', shown: /"name":"forgotten"/ },
];

/** Checks that a repeat got the first answer, marked as a replay, without the raw key and names erased meanwhile. */
function judgeRepeated(first: string, { headers, text }: Reply): void {
  const leftOut = ['rawKey', ...FORGOTTEN.flatMap(({ field, shown }) => (shown.test(text) ? [field] : []))];
  const comparable = (json: string): string =>
    JSON.stringify(JSON.parse(json, (name, value: unknown) => (leftOut.includes(name) ? undefined : value)));
  if (headers.get('idempotent-replayed') !== 'true') throw new Error('a repeated answer that does not say so');
  if (comparable(first) !== comparable(text)) throw new Error(`another answer than the first, which was ${first}`);
}
