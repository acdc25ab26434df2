import type { IncomingMessage, RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError, isErrorCode } from '@paper/contracts';
import {
  addressSubject,
  CallClient,
  createPipeline,
  headersOf,
  limitAddress,
  pathOf,
  rateLimited,
  readBody,
  readKey,
  toApiError,
} from '@paper/http';
import type { Call, RateLimiter } from '@paper/http';
import type { Logger, Metrics } from '@paper/runtime';
import type { Session, Sessions } from '../sessions.ts';
import { ToolError } from '../tool-error.ts';
import type { HostNames } from './names.ts';

/** The one path of the protocol over HTTP. */
export const MCP_PATH = '/mcp';

const MAX_BODY_BYTES = 64 * 1024;

/** Answers a request of the protocol whose caller was found. */
export type ServeProtocol = (request: Request, session: Session) => Promise<Response>;

export interface McpAppSettings {
  /** Loads the protocol's library when it is first needed. */
  readonly protocol: () => Promise<ServeProtocol>;
  readonly sessions: Sessions;
  /** The names of this service; null until it has started: then everything is 503. */
  readonly names: () => HostNames | null;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Counts requests of a key, and of an address that shows no valid one; null: no limits. */
  readonly rateLimiter: RateLimiter | null;
  readonly trustedProxies: readonly string[];
}

/**
 * Creates the listener of /mcp. Each request passes the same checks in this order: path, Host, Origin, method, key, rate,
 * body; then the protocol's library answers it. Refusals before that are `{error, code}`, as the API's.
 */
export function createMcpApp(settings: McpAppSettings): RequestListener {
  const { logger, metrics, trustedProxies } = settings;
  const { listener } = createPipeline({ logger, metrics, trustedProxies, metricsPrefix: 'mcp', answerOf: apiErrorOf });
  const serve = async (call: Call): Promise<void> => {
    const { request } = call;
    if (pathOf(request) !== MCP_PATH) {
      limitAddress(call, 'reads', settings);
      throw new ApiError('not_found', 'No such route');
    }
    call.pattern = MCP_PATH;
    const names = settings.names();
    if (names === null) throw new ApiError('unavailable', 'The service is starting');
    names.assertKnown(request);
    if (request.method !== 'POST') {
      limitAddress(call, 'reads', settings);
      // There are no sessions and no streams of the server's own, which GET and DELETE would be for.
      throw new ApiError('method_not_allowed', 'The methods here are: POST', undefined, { allow: 'POST' });
    }
    const session = await sessionOf(call, settings);
    const body = await readBody(request, MAX_BODY_BYTES);
    assertOneMessage(body);
    const protocol = await settings.protocol();
    const { signal } = new CallClient(call);
    await sendResponse(call, await protocol(webRequest(request, body, signal), session));
  };
  return listener(serve);
}

/**
 * Finds the caller. A known key counts against itself and its fleet. A look-up counts against the address, which gets it
 * back where the key proves valid.
 *
 * @throws ApiError not_authenticated, rate_limited; ToolError where the API could not be asked.
 */
async function sessionOf(call: Call, { rateLimiter, sessions }: McpAppSettings): Promise<Session> {
  const key = readKey(call.request);
  const remembered = key === null ? null : sessions.remembered(key);
  if (remembered === null) limitAddress(call, 'reads', { rateLimiter });
  const session = remembered ?? (key === null ? null : await sessions.find(key));
  if (session === null) {
    throw new ApiError('not_authenticated', 'An API key is needed: send it as "Authorization: Bearer <key>"');
  }
  if (remembered === null) rateLimiter?.giveBack({ bucket: 'reads', subject: addressSubject(call.address) });
  const { keyId, primaryAccountId } = session.me;
  const verdict = rateLimiter?.consume({ bucket: 'reads', subject: `key:${keyId}`, fleet: primaryAccountId });
  if (verdict?.allowed === false) throw rateLimited(call, verdict, 'calls');
  if (verdict !== undefined) call.verdict = verdict;
  return session;
}

/** The error as the HTTP side answers it. The protocol has no request to answer yet. */
function apiErrorOf(error: unknown): ApiError {
  if (!(error instanceof ToolError) || !isErrorCode(error.code)) return toApiError(error, {});
  const { code, message, retryAfterSeconds } = error;
  const headers = retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) };
  return new ApiError(code, message, undefined, headers);
}

/** @throws ApiError of a batch, which would count as one request. Later versions of the protocol have none. */
function assertOneMessage(body: Buffer): void {
  if (!/^\s*\[/.test(body.toString('latin1'))) return;
  throw new ApiError('validation_failed', 'validation failure: body: send one message a request, not a batch of them');
}

function webRequest(request: IncomingMessage, body: Buffer, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  // The library reads the key from nowhere: who calls is decided here.
  headers.delete('authorization');
  headers.delete('x-api-key');
  return new Request(`http://mcp${MCP_PATH}`, { method: 'POST', headers, body: new Uint8Array(body), signal });
}

async function sendResponse(call: Call, { body, headers, status }: Response): Promise<void> {
  const { response } = call;
  const sent = headersOf(call);
  for (const [name, value] of headers) if (name !== 'cache-control') sent.push(name, value);
  sent.push('cache-control', 'no-store');
  response.writeHead(status, sent as string[]);
  if (body === null) response.end();
  else await pipeline(Readable.fromWeb(body), response);
}
