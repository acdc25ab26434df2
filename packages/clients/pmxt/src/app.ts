import type { IncomingMessage, RequestListener } from 'node:http';
import { ApiError } from '@paper/contracts';
import {
  CallClient,
  faultOfHost,
  headersOf,
  limitAddress,
  observeRequests,
  pathOf,
  readBody,
  readKey,
  targetOf,
  toApiError,
  trustedProxies,
} from '@paper/http';
import type { Call, RateLimiter } from '@paper/http';
import type { Logger, Metrics } from '@paper/runtime';
import { createClient, PaperTradingError } from 'paper-trading-client';
import { PmxtError, pmxtErrorOf, toPmxtError } from './errors.ts';
import { METHODS, UNSUPPORTED } from './methods.ts';
import type { QueryArgument } from './methods.ts';

/** The prefix of all paths of pmxt's wire, which is the base URL for pmxt's packages. */
const PMXT_PREFIX = '/pmxt/';
const HEALTH = '/pmxt/health';
const CALL = /^\/pmxt\/api\/([A-Za-z0-9_-]{1,50})\/([A-Za-z0-9_]{1,50})$/;
const CALL_PATTERN = '/pmxt/api/{exchange}/{method}';

const MAX_BODY_BYTES = 64 * 1024;

/** Pages of any origin may call, as with pmxt's server; keys are in headers or bodies, never in cookies. */
const CROSS_ORIGIN = ['access-control-allow-origin', '*'];
const PREFLIGHT = [
  'access-control-allow-methods',
  'GET, POST',
  'access-control-allow-headers',
  'Authorization, X-Api-Key, Content-Type, Idempotency-Key',
];

interface PmxtOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Limits the requests of an IP address. The API limits the requests of a key. Null: no limits. */
  readonly rateLimiter: RateLimiter | null;
  readonly trustedProxies: readonly string[];
  readonly accessLog?: boolean;
}

/** An answer that is about to be sent. Its body is null for a preflight. */
type Outcome = Readonly<{ status: number; body: object | null }>;

/** A refusal without a code, as pmxt's server gives for unknown methods. */
function refusal(status: number, error: string): Outcome {
  return { status, body: { success: false, error } };
}

/** Creates the listener of pmxt's wire, which is a client of the API like any other and stores nothing. */
export function createPmxt(options: PmxtOptions) {
  const observe = observeRequests({ ...options, metricsPrefix: 'pmxt' }, trustedProxies(options.trustedProxies));
  let apiUrl: string | null = null;
  const serve = async (call: Call): Promise<Outcome> => {
    const { request } = call;
    limitAddress(call, 'reads', options);
    const fault = faultOfHost(request);
    if (fault !== null) throw fault;
    if (request.method === 'OPTIONS') return { status: 204, body: null };
    const path = pathOf(request);
    if (path === HEALTH) {
      call.pattern = HEALTH;
      return { status: 200, body: { status: 'ok', timestamp: Date.now() } };
    }
    const [, exchange, method] = CALL.exec(path) ?? [];
    if (exchange === undefined || method === undefined) {
      return refusal(404, 'No such route: POST /pmxt/api/{exchange}/{method}');
    }
    call.pattern = CALL_PATTERN;
    if (apiUrl === null) throw new ApiError('unavailable', 'The service is starting');
    return callMethod(call, apiUrl, exchange.toLowerCase(), method);
  };
  return {
    handles: (path: string): boolean => path.startsWith(PMXT_PREFIX),
    listener: ((request, response) => {
      const call = observe(request, response);
      serve(call)
        .then((outcome) => send(call, outcome))
        .catch((error: unknown) => sendError(call, error, options.logger));
    }) satisfies RequestListener,
    /** Begins to serve, as a client of the API at this address. Before that, calls are answered with 503. */
    start(reachedAt: string): void {
      apiUrl = reachedAt;
    },
  };
}

async function callMethod(call: Call, apiUrl: string, exchange: string, name: string): Promise<Outcome> {
  const { request } = call;
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  const isGet = request.method === 'GET';
  if (request.method !== 'POST' && (!isGet || (method !== undefined && method.query === null))) {
    const error = `Method '${name}' is not available via ${request.method ?? 'GET'}. Use POST /api/:exchange/${name} instead.`;
    return refusal(405, error);
  }
  if (method === undefined) {
    if (!UNSUPPORTED.has(name)) return refusal(404, `Method '${name}' not found on ${exchange}`);
    return refusal(501, `Method '${name}' is not supported by '${exchange}'.`);
  }
  const sent = isGet ? { args: queryArguments(request, method.query ?? []), key: null } : await bodyOf(request);
  // A key in the body takes precedence over one in the headers: pmxt's packages send both, the latter for their own
  // service.
  const key = sent.key ?? readKey(request);
  const idempotencyKey = request.headersDistinct['idempotency-key']?.[0];
  const api = createClient({ baseUrl: apiUrl, signal: new CallClient(call).signal, key: key ?? undefined });
  const origin = { exchange, baseUrl: `http://${request.headers.host ?? 'localhost'}` };
  const data = await method.run({ api, args: sent.args, idempotencyKey, origin });
  return { status: 200, body: { success: true, data } };
}

/** The positional arguments in a query, as pmxt's server reads them. */
function queryArguments(request: IncomingMessage, wanted: readonly QueryArgument[]): readonly unknown[] {
  const query = new Map(targetOf(request).searchParams);
  const single = new Set(wanted.filter(({ kind }) => kind === 'string').map(({ name }) => name));
  return wanted.map(({ kind, name }) => {
    if (kind === 'string') return query.get(name);
    const rest = [...query].filter(([other]) => !single.has(other));
    return rest.length === 0 ? undefined : Object.fromEntries(rest);
  });
}

async function bodyOf(request: IncomingMessage): Promise<Readonly<{ args: readonly unknown[]; key: string | null }>> {
  const body = parsed((await readBody(request, MAX_BODY_BYTES)).toString());
  const { args, credentials } = body as Readonly<{ args?: unknown; credentials?: { readonly apiKey?: unknown } }>;
  const key = credentials?.apiKey;
  if (key !== undefined && key !== null && (typeof key !== 'string' || !/^[\x21-\x7e]{1,512}$/.test(key))) {
    throw new PmxtError('AUTHENTICATION_ERROR', 'credentials.apiKey: must be an API key of this exchange');
  }
  return { args: Array.isArray(args) ? args : [], key: typeof key === 'string' ? key : null };
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // An invalid value is refused below, like any other.
  }
  throw new PmxtError('BAD_REQUEST', 'The body must be a JSON object: {"args": […], "credentials": {"apiKey": "…"}}');
}

function sendError(call: Call, error: unknown, logger: Logger): void {
  if (call.response.closed) return;
  if (call.response.headersSent) {
    call.response.destroy();
    return;
  }
  const [, exchange = 'unknown'] = CALL.exec(pathOf(call.request)) ?? [];
  const pmxtError = error instanceof ApiError ? ofApi(error) : toPmxtError(error);
  // If the API refused or did not answer, the count of this call's status shows it.
  const isOfApi = error instanceof ApiError || error instanceof PmxtError || error instanceof PaperTradingError;
  if (!isOfApi) logger.error({ err: error, requestId: call.requestId }, 'a call of pmxt has failed');
  const retry = pmxtError.retryAfter === undefined ? [] : ['retry-after', String(pmxtError.retryAfter)];
  send(call, { status: pmxtError.status, body: pmxtError.body(exchange.toLowerCase()) }, retry);
}

function ofApi(error: ApiError): PmxtError {
  const { code, message } = toApiError(error, {});
  return pmxtErrorOf(code, message);
}

function send(call: Call, { body, status }: Outcome, more: readonly string[] = body === null ? PREFLIGHT : []): void {
  const bytes = Buffer.from(body === null ? '' : JSON.stringify(body));
  const type = body === null ? [] : ['content-type', 'application/json; charset=utf-8'];
  const headers = [...headersOf(call), ...CROSS_ORIGIN, ...type, ...more, 'cache-control', 'no-store'];
  call.response.writeHead(status, [...headers, 'content-length', bytes.length] as string[]);
  call.response.end(bytes);
}
