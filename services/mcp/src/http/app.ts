import type { IncomingMessage, RequestListener } from 'node:http';
import { ApiError } from '@paper/contracts';
import {
  addressSubject,
  CallClient,
  createPipeline,
  headersOf,
  limitAddress,
  pathOf,
  rateLimited,
  readJson,
  readKey,
} from '@paper/http';
import type { Call, RateLimiter } from '@paper/http';
import type { Logger, Metrics } from '@paper/runtime';
import type { Session, Sessions } from '../sessions.ts';
import { ToolError } from '../tool-error.ts';
import type { HostNames } from './names.ts';

export const MCP_PATH = '/mcp';

const MAX_BODY_BYTES = 64 * 1024;

/** A request of the protocol whose key and rate were checked. */
export interface ProtocolRequest {
  readonly request: Request;
  /** The body: one message of JSON-RPC, not validated yet. */
  readonly message: object;
  /** Finds the caller. Rejects with a ToolError while the API cannot be reached. */
  readonly find: () => Promise<Session>;
}

/** The Model Context Protocol's side of the listener. */
export interface Protocol {
  /** The cost of a request in units by the size of its answer, for keys with these permissions. */
  readonly costOf: (message: object, permissions: Session['me']['permissions']) => number;
  readonly serve: (request: ProtocolRequest) => Promise<Response>;
}

export interface McpAppSettings {
  readonly protocol: () => Promise<Protocol>;
  readonly sessions: Sessions;
  /** The names of this service; null until it has started: until then no tool works. */
  readonly names: () => HostNames | null;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Counts requests of a key, and of an address without a valid key; null: no limits. */
  readonly rateLimiter: RateLimiter | null;
  readonly trustedProxies: readonly string[];
  readonly accessLog?: boolean;
}

/**
 * Creates the listener of /mcp. Each request passes the same checks in this order: path, Host, Origin, method, key,
 * rate, body; then the protocol's library answers it. A refusal by these checks is `{error, code}`, as in the API. An
 * unreachable API is no such refusal: then tools answer with what to do next.
 */
export function createMcpApp(settings: McpAppSettings): RequestListener {
  const { listener } = createPipeline({ ...settings, metricsPrefix: 'mcp' });
  const serve = async (call: Call): Promise<void> => {
    const { request } = call;
    assertRoute(call, settings);
    const caller = await callerOf(call, settings);
    const message = oneMessage(await readJson(request, MAX_BODY_BYTES));
    const protocol = await settings.protocol();
    if ('session' in caller) {
      // Each request costs a unit at once, and the rest by the size of its answer.
      const further = protocol.costOf(message, caller.session.me.permissions) - 1;
      if (further > 0) count(call, caller.session, further, settings);
    }
    const { signal } = new CallClient(call);
    const find = () => ('session' in caller ? Promise.resolve(caller.session) : Promise.reject(caller.failure));
    await sendResponse(call, await protocol.serve({ request: webRequest(request, signal), message, find }));
  };
  return listener(serve);
}

/** Throws ApiError for another path, Host, Origin or method; the request then counts against its address. */
function assertRoute(call: Call, settings: McpAppSettings): void {
  const { request } = call;
  try {
    if (pathOf(request) !== MCP_PATH) throw new ApiError('not_found', 'No such route');
    call.pattern = MCP_PATH;
    settings.names()?.assertKnown(request);
    if (request.method === 'POST') return;
    // GET and DELETE are for sessions and for streams of the server's own, which do not exist here.
    throw new ApiError('method_not_allowed', 'The methods here are: POST', undefined, { allow: 'POST' });
  } catch (refusal) {
    limitAddress(call, 'reads', settings);
    throw refusal;
  }
}

/** The caller of a request, or why the caller cannot be looked up now. */
type Caller = { readonly session: Session } | { readonly failure: ToolError };

/**
 * Finds the caller. A known key counts against itself and its fleet; a look-up against the address, which gets the cost
 * back if the key proves valid. @throws ApiError not_authenticated, rate_limited.
 */
async function callerOf(call: Call, settings: McpAppSettings): Promise<Caller> {
  const { rateLimiter, sessions } = settings;
  const key = readKey(call.request);
  const remembered = key === null ? null : sessions.remembered(key);
  if (remembered === null) limitAddress(call, 'reads', settings);
  if (settings.names() === null) return { failure: new ToolError('unavailable', 'The service is starting', 1) };
  const caller = remembered === null ? await lookUp(key, sessions) : { session: remembered };
  if (!('session' in caller)) return caller;
  if (remembered === null) rateLimiter?.giveBack({ bucket: 'reads', subject: addressSubject(call.address) });
  count(call, caller.session, 1, settings);
  return caller;
}

async function lookUp(key: string | null, sessions: Sessions): Promise<Caller> {
  try {
    const session = key === null ? null : await sessions.find(key);
    if (session !== null) return { session };
  } catch (error) {
    if (error instanceof ToolError) return { failure: error };
    throw error;
  }
  throw new ApiError('not_authenticated', 'An API key is needed: send it as "Authorization: Bearer <key>"');
}

function count(call: Call, { me }: Session, cost: number, { rateLimiter }: McpAppSettings): void {
  const verdict = rateLimiter?.consume({
    bucket: 'reads',
    subject: `key:${me.keyId}`,
    fleet: me.primaryAccountId,
    cost,
  });
  if (verdict?.allowed === false) throw rateLimited(call, verdict, 'calls');
  if (verdict !== undefined) call.verdict = verdict;
}

/** Throws ApiError for a batch, which would count as one request. Later versions of the protocol have none. */
function oneMessage(body: unknown): object {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new ApiError(
    'validation_failed',
    'validation failure: body: send one message a request, as a JSON object; a batch of them is refused',
  );
}

function webRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  // The library never sees the key: the caller is authenticated here.
  headers.delete('authorization');
  headers.delete('x-api-key');
  return new Request(`http://mcp${MCP_PATH}`, { method: 'POST', headers, signal });
}

/** Headers that Node or this service sets. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['cache-control', 'connection', 'content-length']);

/** Sends the library's answer, which is read as a whole: a pipe would add eleven listeners to the response. */
async function sendResponse(call: Call, answer: Response): Promise<void> {
  const { response } = call;
  const bytes = Buffer.from(await answer.arrayBuffer());
  const sent = headersOf(call);
  for (const [name, value] of answer.headers) if (!OWN_HEADERS.has(name)) sent.push(name, value);
  sent.push('cache-control', 'no-store', 'content-length', bytes.length);
  response.writeHead(answer.status, sent as string[]);
  response.end(bytes);
}
