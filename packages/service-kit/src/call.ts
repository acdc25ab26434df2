import type { IncomingMessage, ServerResponse } from 'node:http';
import { rateLimitHeaders, type Verdict } from './rate-limit.ts';

/** The pattern of requests that match no route. */
export const NO_ROUTE = 'none';

/**
 * A request on its way through the pipeline, with its answer. The pipeline keeps its state here and not on the objects
 * of a framework, because the most frequent reads bypass the framework.
 */
export interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The client's X-Request-Id where it is a sane one. */
  readonly requestId: string;
  /** The client's address, by trusted proxies only; undefined when it has disconnected already. */
  readonly address: string | undefined;
  /** Which route it took: metrics are labelled by pattern, never by URL. */
  pattern: string;
  /** The answer is for this caller only. */
  isPrivate: boolean;
  /** The answer goes on until the client disconnects, so a disconnect is no failure and its duration is not measured. */
  isStream: boolean;
  /** Null before it was counted, and without limits. */
  verdict: Verdict | null;
  /** Names and values, one after the other. */
  securityHeaders: readonly string[];
}

/** Headers of every answer, as alternating names and values, to which each answer adds its own. */
export function headersOf({ requestId, securityHeaders, verdict }: Call): (string | number)[] {
  const headers = ['x-request-id', requestId, ...securityHeaders];
  if (verdict !== null) headers.push(...rateLimitHeaders(verdict));
  return headers;
}
