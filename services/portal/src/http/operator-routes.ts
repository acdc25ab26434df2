import { ApiError, Unavailable } from '@paper/contracts';
import { pathOf } from '@paper/http';
import { refusalIn } from 'paper-trading-client';
import { z } from 'zod';
import { allowsOperators } from '../base/config.ts';
import type { PortalParts } from './portal-parts.ts';
import { readCookie, setCookie } from './cookies.ts';
import { PortalError } from '../base/errors.ts';
import { passAnswer, prepareForward } from './forward.ts';
import { findOperatorEndpoint } from './passed-endpoints.ts';
import { portalRoute } from './route.ts';
import type { PortalCall, RouteGroup } from './route.ts';

const OPERATOR_COOKIE = 'operator';
/** Browsers send the cookie only to these calls. */
const OPERATOR_PATH = '/portal/operator';

const PASS_PREFIX = `${OPERATOR_PATH}/api/`;
const API_PREFIX = '/api/operator/';
/** The API allows an operator 2,000 calls a second: twenty times the commands of a key. */
const PASS_COST = 1 / 20;

const NO_OPERATOR = 'No operator is signed in here, or the session was idle for 30 minutes';

const BY_ADDRESS = { kind: 'operator-tokens', events: 10, minutes: 15, message: 'Too many tries' } as const;

/** An operator's token, in the form of the setting OPERATOR_TOKENS. */
const sessionBody = z.strictObject({
  token: z.string().regex(/^[\x21-\x7e]{16,512}$/, 'must be 16 to 512 visible ASCII characters'),
});

/** The routes of operators' sessions, and of their calls to the API; none if operators may not sign in. */
export function operatorRoutes(parts: PortalParts): RouteGroup {
  const { operatorSessions, site, throttle } = parts;
  if (!allowsOperators(parts.config)) return {};
  const cookie = (value: string, more: { readonly maxAgeSeconds?: number } = {}): string =>
    setCookie(OPERATOR_COOKIE, value, site(), { path: OPERATOR_PATH, sameSite: 'strict', ...more });
  const presented = ({ call }: PortalCall): string | null =>
    readCookie(call.request, OPERATOR_COOKIE, site(), OPERATOR_PATH);
  const pass = async (portalCall: PortalCall): Promise<void> => {
    const { call, signal } = portalCall;
    const path = `${API_PREFIX}${pathOf(call.request).slice(PASS_PREFIX.length)}`;
    const endpoint = findOperatorEndpoint(call.request.method ?? '', path);
    if (endpoint === null) throw new ApiError('not_found', 'No such route');
    call.pattern = `${PASS_PREFIX}${endpoint.path.slice(API_PREFIX.length)}`;
    const token = presented(portalCall);
    const operatorToken = token === null ? null : await operatorSessions.find(token);
    if (operatorToken === null) throw new PortalError('not_signed_in', NO_OPERATOR);
    const send = await prepareForward(parts, { call, endpoint, path, signal });
    const answer = await send(operatorToken);
    if (token !== null && answer.status === 401) await operatorSessions.end(token);
    passAnswer({ call, answer, apiPrefix: API_PREFIX, prefix: PASS_PREFIX, opened: null });
  };
  return {
    prefixes: [{ prefix: PASS_PREFIX, pattern: `${PASS_PREFIX}…`, cost: PASS_COST, serve: pass }],
    routes: [
      portalRoute('get', `${OPERATOR_PATH}/session`, 'nothing', {}, async (call) => {
        const token = presented(call);
        return { body: { signedIn: token !== null && (await operatorSessions.find(token)) !== null } };
      }),
      portalRoute('post', `${OPERATOR_PATH}/session`, 'nothing', { body: sessionBody }, async (call, { body }) => {
        await throttle.take(BY_ADDRESS, call.address);
        await assertOperator(parts, body.token);
        await throttle.giveBack(BY_ADDRESS, call.address);
        const session = await operatorSessions.begin(body.token, presented(call));
        return { body: { signedIn: true }, cookies: [cookie(session)] };
      }),
      portalRoute('delete', `${OPERATOR_PATH}/session`, 'nothing', {}, async (call) => {
        const token = presented(call);
        if (token !== null) await operatorSessions.end(token);
        return { cookies: [cookie('', { maxAgeSeconds: 0 })] };
      }),
    ],
  };
}

/** @throws PortalError wrong_credentials unless the token is an operator's; Unavailable. */
async function assertOperator({ apis }: PortalParts, token: string): Promise<void> {
  try {
    await apis.as(token).call('getOperatorStatus', {});
    return;
  } catch (error) {
    const refusal = refusalIn(error);
    // An account's key gets just `Forbidden`. An operator's token whose scopes exclude the status gets a longer text.
    if (refusal?.status === 401 || (refusal?.status === 403 && refusal.message === 'Forbidden')) {
      throw new PortalError('wrong_credentials', 'No operator has this token');
    }
    if (refusal?.status !== 403) throw new Unavailable('The exchange does not answer; try again', { cause: error });
  }
}
