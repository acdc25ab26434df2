import { createClient } from 'paper-trading-client';
import type { PaperTradingClient } from 'paper-trading-client';

/** A client of the public API, as one key. */
export type Api = PaperTradingClient;

/** Below the ten seconds in which a request of ours is answered. */
const TIMEOUT_MS = 8_000;
/** A call that failed at once is sent again; one that took long is not. */
const RETRY_FOR_MS = 2_000;

/** A client that repeats requests that got no answer. A command carries an Idempotency-Key. */
export function createApi(baseUrl: string, key: string): Api {
  return createClient({ baseUrl, key, timeoutMs: TIMEOUT_MS, retryForMs: RETRY_FOR_MS });
}
