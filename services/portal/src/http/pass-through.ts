import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream';
import { ApiError, Unavailable } from '@paper/contracts';
import { headersOf, pathOf, readBody } from '@paper/service-kit';
import type { Call } from '@paper/service-kit';
import { ownAccount } from '../keys/portal-keys.ts';
import type { KeyOwner, KeyPurpose } from '../keys/portal-keys.ts';
import type { PortalParts } from '../portal-parts.ts';
import type { Session } from '../identity/sessions.ts';
import { assertSession } from './app.ts';
import { findPassed } from './passed-endpoints.ts';
import type { PassedEndpoint } from './passed-endpoints.ts';
import type { PortalCall, RouteGroup } from './route.ts';

const PREFIX = '/portal/as/';

/** Headers of the request that the API gets. */
const PASSED_REQUEST_HEADERS = [
  'accept',
  'accept-encoding',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
] as const;

/** Headers of the API's answer that the browser gets. */
const PASSED_ANSWER_HEADERS = [
  'allow',
  'content-encoding',
  'content-length',
  'content-type',
  'etag',
  'idempotent-replayed',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'x-journal-hash',
  'x-journal-seq',
] as const;

/** The account that a call is for, and the stored key that it goes with. */
interface Target {
  readonly owner: KeyOwner;
  readonly purpose: KeyPurpose;
}

/**
 * Passes `/portal/as/{account}/<rest>` to `/api/<rest>` with the stored key of that account: `me` for the person's own,
 * else the id of a sub-account, which can only be read. Streams are piped as they come, and end with the session.
 */
export function passThrough(parts: PortalParts): RouteGroup {
  return {
    prefixes: [{ prefix: PREFIX, pattern: `${PREFIX}{account}/…`, serve: (portalCall) => serve(parts, portalCall) }],
  };
}

async function serve(parts: PortalParts, portalCall: PortalCall): Promise<void> {
  const { call, session, signal } = portalCall;
  const { request } = call;
  assertSession(session);
  const { account, path } = splitPath(pathOf(request));
  const passed = findPassed(request.method ?? '', path);
  if (passed === null) throw new ApiError('not_found', 'No such route');
  call.pattern = `${PREFIX}{account}${passed.endpoint.path.slice('/api'.length)}`;
  const target = targetOf(session, account, passed);
  const { endpoint } = passed;
  const body = endpoint.body === null ? Buffer.alloc(0) : await readBody(request, endpoint.maxBodyBytes);
  const query = (request.url ?? '').split('?').slice(1).join('?');
  const url = new URL(parts.apis.url);
  url.pathname = path;
  url.search = query;
  const isRepeatable = endpoint.kind === 'read' || request.headers['idempotency-key'] !== undefined;
  const send = async (key: string) => {
    const headers = requestHeaders(call, key, body);
    const answer = await parts.apiRequests.send({
      method: request.method ?? '',
      url,
      headers,
      body,
      isRepeatable,
      signal,
    });
    return Object.assign(answer, { status: answer.statusCode ?? 0 });
  };
  const answer = await parts.keys.use(target.owner, target.purpose, async (key) => {
    const first = await send(key);
    // Only read to its end, so that the connection can be used again.
    if (first.status === 401) first.resume();
    return first;
  });
  if (answer.status === 401) throw new Unavailable('The key of this account was revoked; try again');
  passAnswer(parts, { answer, account, call, isStream: endpoint.streams, session });
}

/** Splits the path of a call into the account and the path of the API. @throws ApiError not_found. */
function splitPath(path: string): { readonly account: string; readonly path: string } {
  const rest = path.slice(PREFIX.length);
  const slash = rest.indexOf('/');
  const account = rest.slice(0, Math.max(0, slash));
  if (!/^[\w.-]{1,100}$/.test(account)) throw new ApiError('not_found', 'No such route');
  return { account, path: `/api${rest.slice(slash)}` };
}

/** @throws ApiError forbidden for a call that changes something of a sub-account. */
function targetOf({ person }: Session, account: string, { ofSubAccounts, own }: PassedEndpoint): Target {
  const owner = ownAccount(person);
  if (account === 'me' || account === owner.accountId) return { owner, purpose: own };
  if (!ofSubAccounts) {
    throw new ApiError('forbidden', 'A sub-account can only be looked at here: trade with a key of its own');
  }
  return { owner: { ...owner, accountId: account }, purpose: 'view' };
}

function requestHeaders({ request, requestId }: Call, key: string, body: Buffer): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { authorization: `Bearer ${key}`, 'x-request-id': requestId };
  for (const name of PASSED_REQUEST_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string' && (name !== 'content-type' || body.length > 0)) headers[name] = value;
  }
  if (body.length > 0) headers['content-length'] = body.length;
  return headers;
}

interface PassedAnswer {
  readonly answer: IncomingMessage;
  readonly account: string;
  readonly call: Call;
  readonly isStream: boolean;
  readonly session: Session;
}

/** Sends the answer of the API as it comes. */
function passAnswer({ streams }: PortalParts, { account, answer, call, isStream, session }: PassedAnswer): void {
  const { request, response } = call;
  const headers = headersOf(call);
  for (const name of PASSED_ANSWER_HEADERS) {
    const value = answer.headers[name];
    if (typeof value === 'string') headers.push(name, value);
  }
  // A further page is read through the portal too.
  const { link } = answer.headers;
  if (typeof link === 'string') headers.push('link', link.replaceAll('</api/', `<${PREFIX}${account}/`));
  // The same address is another person's after the next sign-in.
  headers.push('cache-control', isStream ? 'no-store, no-transform' : 'no-store');
  const isOpen = isStream && answer.statusCode === 200 && request.method !== 'HEAD';
  if (isOpen) {
    call.isStream = true;
    // A body that ends with its connection needs no frame around each event.
    response.useChunkedEncodingByDefault = false;
    headers.push('connection', 'close', 'x-accel-buffering', 'no');
    const forget = streams.add(session.id, () => response.destroy());
    response.once('close', forget);
  }
  response.writeHead(answer.statusCode ?? 502, headers as string[]);
  if (isOpen) response.flushHeaders();
  // An answer that breaks off breaks off here too. The client's signal ends the request when the client has gone.
  pipeline(answer, response, () => undefined);
}
