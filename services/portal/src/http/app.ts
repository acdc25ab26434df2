import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ApiError, MAX_BODY_BYTES } from '@paper/contracts';
import {
  addressSubject,
  CallClient,
  createPipeline,
  faultOfHost,
  hashKey,
  headersOf,
  limitAddress,
  methodNotAllowed,
  pathOf,
  patternRoutes,
  rateLimited,
  readInput,
  toApiError,
} from '@paper/http';
import type { Call, RateLimiter } from '@paper/http';
import type { Logger, Metrics } from '@paper/runtime';
import type { Session, Sessions } from '../identity/sessions.ts';
import { readCookie } from './cookies.ts';
import { deviceOf } from './device.ts';
import { notSignedIn, PortalError } from '../base/errors.ts';
import type { PortalAnswer, PortalCall, PortalRoute, RouteGroup } from './route.ts';
import type { Site } from '../base/site.ts';

export interface PortalPages {
  /** Whether a GET of this path is for a page; false for all paths under `/portal/`. */
  readonly handles: (path: string, request: IncomingMessage) => boolean;
  /** Answers a GET or HEAD whose Host is known, for the site at `publicUrl`, and sets all headers itself. */
  readonly serve: (request: IncomingMessage, response: ServerResponse, publicUrl: string) => void | Promise<void>;
  /** Why pages cannot be served; null while they can, or are being made. Absent: they always can. */
  readonly problem?: () => string | null;
}

export interface PortalAppSettings {
  /** The site; null until the portal has started: then everything is answered with 503. */
  readonly site: () => Site | null;
  readonly sessions: Sessions;
  readonly groups: readonly RouteGroup[];
  /** Null: only the portal's own calls are answered. */
  readonly pages: PortalPages | null;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Counts requests of an address without a valid session, and those of a person; null: no limit (RATE_LIMITS=off). */
  readonly rateLimiter: RateLimiter | null;
  readonly trustedProxies: readonly string[];
  readonly accessLog?: boolean;
}

export const SESSION_COOKIE = 'session';

export const PORTAL_PREFIX = '/portal/';

const SAFE_METHODS = new Set(['GET', 'HEAD']);

/**
 * Checks each call in this order: Host, Origin, rate, route, sign-in offered here, session, proof, form of the request.
 */
export function createPortalApp(settings: PortalAppSettings): RequestListener {
  const { accessLog = false, logger, metrics, pages, trustedProxies } = settings;
  const { fail, listener } = createPipeline({
    accessLog,
    logger,
    metrics,
    trustedProxies,
    metricsPrefix: 'portal',
    answerOf: (error) => (error instanceof PortalError ? error : toApiError(error, {})),
  });
  const routes = settings.groups.flatMap((group) => group.routes ?? []);
  const prefixes = settings.groups.flatMap((group) => group.prefixes ?? []);
  const known = new KnownTokens();
  const checked = new WeakMap<Call, PortalCall>();
  const served = routes.map((route) => ({
    endpoint: { method: route.method, path: route.path },
    serve: async (call: Call, params: Readonly<Record<string, string>>) => {
      const portalCall = checked.get(call);
      if (portalCall === undefined) throw new Error('a call reached its route unchecked');
      call.pattern = route.path;
      await serveRoute(route, portalCall, params, siteOf(settings));
    },
  }));
  // Earlier checks have counted the request against its address already.
  const serveByPattern = patternRoutes(served, [], () => undefined, fail);

  const serve = async (call: Call): Promise<void> => {
    const { request } = call;
    const site = siteOf(settings);
    const path = pathOf(request);
    if (!path.startsWith(PORTAL_PREFIX)) {
      limitAddress(call, 'reads', settings);
      assertHost(request, site);
      if (pages === null || !pages.handles(path, request)) throw new ApiError('not_found', 'No such route');
      if (!SAFE_METHODS.has(request.method ?? '')) throw methodNotAllowed('GET, HEAD');
      call.pattern = 'page';
      await pages.serve(request, call.response, site.origin);
      return;
    }
    call.isPrivate = true;
    try {
      assertHost(request, site);
      assertOrigin(request, site);
    } catch (refusal) {
      // Counts the refused request by its address. A session's limit cannot count it: sessions are looked up later.
      limitAddress(call, 'reads', settings);
      throw refusal;
    }
    const portalCall = await withSession(call, site, settings, known);
    const prefix = prefixes.find((one) => path.startsWith(one.prefix));
    limitPerson(portalCall, prefix?.cost ?? 1, settings);
    if (prefix === undefined) {
      checked.set(call, portalCall);
      serveByPattern(call);
      return;
    }
    call.pattern = prefix.pattern;
    if (prefix.worksWithoutSignIn !== true) assertSignIn(request, site);
    await prefix.serve(portalCall);
  };
  return listener(serve);
}

function siteOf({ site }: PortalAppSettings): Site {
  const found = site();
  if (found === null) throw new ApiError('unavailable', 'The service is starting');
  return found;
}

async function serveRoute(
  route: PortalRoute,
  portalCall: PortalCall,
  pathParams: Readonly<Record<string, string>>,
  site: Site,
): Promise<void> {
  const { call, session } = portalCall;
  if (!route.worksWithoutSignIn) assertSignIn(call.request, site);
  if (route.needs !== 'nothing') assertSession(session);
  if (route.needs === 'proof') assertProof(session);
  const form = { ...route, maxBodyBytes: MAX_BODY_BYTES, idempotent: false, items: null };
  const input = await readInput(form, call.request, pathParams);
  sendPortalAnswer(call, await route.handler(portalCall, input));
}

function sendPortalAnswer(call: Call, { status, body, cookies = [], headers = {} }: PortalAnswer): void {
  const { response } = call;
  const sent = headersOf(call);
  sent.push('cache-control', 'no-store', ...Object.entries(headers).flat());
  for (const cookie of cookies) sent.push('set-cookie', cookie);
  if (body === undefined) {
    response.writeHead(status ?? 204, sent as string[]);
    response.end();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  sent.push('content-type', 'application/json; charset=utf-8', 'content-length', bytes.length);
  response.writeHead(status ?? 200, sent as string[]);
  response.end(bytes);
}

/** Tokens that were valid when they were last looked up; the look-up still decides each time. */
class KnownTokens {
  static readonly #MAX = 50_000;
  readonly #hashes = new Set<string>();

  has(token: string): boolean {
    return this.#hashes.has(hashKey(token));
  }

  note(token: string, isValid: boolean): void {
    if (this.#hashes.size >= KnownTokens.#MAX) this.#hashes.clear();
    if (isValid) this.#hashes.add(hashKey(token));
    else this.#hashes.delete(hashKey(token));
  }
}

/** Finds a request's session. A request without one counts against its address, whose limit is checked first. */
async function withSession(call: Call, site: Site, { rateLimiter, sessions }: PortalAppSettings, known: KnownTokens) {
  const { request } = call;
  const address = addressSubject(call.address);
  const token = readCookie(request, SESSION_COOKIE, site);
  const isOffered = site.refusal(request.headers.host ?? '') === null;
  const presented = isOffered ? token : null;
  const isKnown = presented !== null && known.has(presented);
  if (!isKnown) limitAddress(call, 'reads', { rateLimiter }, presented === null ? 1 : 0);
  const session = presented === null ? null : await sessions.find(presented);
  if (presented !== null) known.note(presented, session !== null);
  if (presented !== null && session === null) rateLimiter?.charge({ bucket: 'reads', subject: address });
  if (session !== null) call.verdict = null;
  const client = new CallClient(call);
  return {
    call,
    session,
    presentedToken: token,
    address,
    device: deviceOf(request.headers['user-agent']),
    get signal() {
      return client.signal;
    },
  };
}

/** Counts a call of a signed-in person, who has a limit of their own wherever they come from. @throws rate_limited. */
function limitPerson({ call, session }: PortalCall, cost: number, { rateLimiter }: PortalAppSettings): void {
  if (session === null) return;
  const bucket = SAFE_METHODS.has(call.request.method ?? '') ? 'reads' : 'commands';
  const verdict = rateLimiter?.consume({ bucket, subject: `person:${session.person.id}`, cost });
  if (verdict?.allowed === false) throw rateLimited(call, verdict, 'calls');
}

/** Refuses a Host other than the site's, such as another name that resolves to this service. */
function assertHost(request: IncomingMessage, site: Site): void {
  const fault = faultOfHost(request);
  if (fault !== null) throw fault;
  if (site.isServedAs(request.headers.host ?? '')) return;
  throw new PortalError('unknown_host', `This service is at ${site.origin}, by its setting PUBLIC_URL`);
}

/** Refuses every change that is not asked for by a page of this site. @throws PortalError origin_refused. */
function assertOrigin(request: IncomingMessage, site: Site): void {
  if (SAFE_METHODS.has(request.method ?? '')) return;
  const origins = request.headersDistinct['origin'] ?? [];
  if (origins.length === 1 && origins[0] === site.origin) return;
  throw new PortalError('origin_refused', `Only pages of ${site.origin} may do this`);
}

function assertSignIn(request: IncomingMessage, site: Site): void {
  const reason = site.refusal(request.headers.host ?? '');
  if (reason !== null) throw new PortalError('sign_in_unavailable', reason);
}

/** @throws PortalError not_signed_in. */
export function assertSession(session: Session | null): asserts session is Session {
  if (session === null) throw notSignedIn();
}

/** @throws PortalError proof_required unless the person proved who they are in the last five minutes. */
export function assertProof(session: Session | null): void {
  assertSession(session);
  if (session.isProven) return;
  throw new PortalError('proof_required', 'Prove that it is you: enter your password, or use a passkey');
}
