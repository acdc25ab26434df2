import { ApiError, Unavailable } from '@paper/contracts';
import { pathOf } from '@paper/http';
import { ownAccount } from '../keys/portal-keys.ts';
import type { PortalParts } from './portal-parts.ts';
import type { Session } from '../identity/sessions.ts';
import { assertSession } from './app.ts';
import { passAnswer, prepareForward } from './forward.ts';
import { findPassed } from './passed-endpoints.ts';
import type { PassedEndpoint } from './passed-endpoints.ts';
import type { PortalCall, RouteGroup } from './route.ts';

const PREFIX = '/portal/as/';

/** The API allows a person's fleet five times as much as one key. */
const COST = 1 / 5;

/**
 * Passes `/portal/as/{account}/<rest>` to `/api/<rest>` with the stored key of the account: `me` for the person's own,
 * else the id of a sub-account, which can only be read. Streams end with the session.
 */
export function passThrough(parts: PortalParts): RouteGroup {
  const pattern = `${PREFIX}{account}/…`;
  return { prefixes: [{ prefix: PREFIX, pattern, cost: COST, serve: (portalCall) => serve(parts, portalCall) }] };
}

async function serve(parts: PortalParts, portalCall: PortalCall): Promise<void> {
  const { call, session, signal } = portalCall;
  const { request } = call;
  assertSession(session);
  const { account, path } = splitPath(pathOf(request));
  const passed = findPassed(request.method ?? '', path);
  if (passed === null) throw new ApiError('not_found', 'No such route');
  call.pattern = `${PREFIX}{account}${passed.endpoint.path.slice('/api'.length)}`;
  const { owner, purpose } = targetOf(session, account, passed);
  const { endpoint } = passed;
  const send = await prepareForward(parts, { call, endpoint, path, signal });
  const answer = await parts.keys.use(owner, purpose, async (key) => {
    const first = await send(key);
    // The answer is read to its end, so that the connection can be used again.
    if (first.status === 401) first.resume();
    return first;
  });
  if (answer.status === 401) throw new Unavailable('The key of this account was revoked; try again');
  passAnswer({
    call,
    answer,
    apiPrefix: '/api/',
    prefix: `${PREFIX}${account}/`,
    opened: endpoint.streams ? (cut) => parts.streams.add(session.id, cut) : null,
  });
}

/** Splits the path of a call into the account and the path of the API. @throws ApiError not_found. */
function splitPath(path: string): { readonly account: string; readonly path: string } {
  const rest = path.slice(PREFIX.length);
  const slash = rest.indexOf('/');
  const account = rest.slice(0, Math.max(0, slash));
  if (!/^[\w.-]{1,100}$/.test(account)) throw new ApiError('not_found', 'No such route');
  return { account, path: `/api${rest.slice(slash)}` };
}

/** The account, and its stored key to use. @throws ApiError forbidden for a change of a sub-account. */
function targetOf({ person }: Session, account: string, { ofSubAccounts, own }: PassedEndpoint) {
  const owner = ownAccount(person);
  if (account === 'me' || account === owner.accountId) return { owner, purpose: own };
  if (!ofSubAccounts) {
    throw new ApiError('forbidden', 'A sub-account can only be looked at here: trade with a key of its own');
  }
  return { owner: { ...owner, accountId: account }, purpose: 'view' as const };
}
