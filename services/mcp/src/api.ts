import { createClient } from 'paper-trading-client';
import type { PaperTradingClient } from 'paper-trading-client';

/** A client of the public API with one key. */
export type Api = PaperTradingClient;

/** The time limit of a request, below the ten seconds in which we answer our own requests. */
const TIMEOUT_MS = 8_000;
/** How soon a call must have failed to be sent again. */
const RETRY_FOR_MS = 2_000;

/** Creates a client that repeats requests without an answer. A command carries an Idempotency-Key. */
export function createApi(baseUrl: string, key: string): Api {
  return createClient({ baseUrl, key, timeoutMs: TIMEOUT_MS, retryForMs: RETRY_FOR_MS });
}
