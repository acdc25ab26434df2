import type { IncomingMessage, ServerResponse } from 'node:http';
import { rateLimitHeaders, type Verdict } from './rate-limit.ts';

/** The pattern of what takes no route. */
export const NO_ROUTE = 'none';

/**
 * One request on its way through the pipeline, with its answer. All that the pipeline knows of it is here and not on
 * the objects of a framework: what is read most never meets one.
 */
export interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The client's X-Request-Id where it is a sane one. */
  readonly requestId: string;
  /** The client's, as far as proxies are believed; undefined when it has gone already. */
  readonly address: string | undefined;
  /** Which route it took: metrics are labelled by pattern, never by URL. */
  pattern: string;
  /** The answer is for this caller only. */
  isPrivate: boolean;
  /** The answer goes on until the client leaves: then that is no failure, and its time tells nothing. */
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
