import { createClient, endpoints } from '@paper/contracts';
import type { ApiClient } from '@paper/contracts';

/** A client of the public API, as one key. */
export type Api = ApiClient<typeof endpoints>;

/** Below the ten seconds in which a request of ours is answered. */
const TIMEOUT_MS = 8_000;

/** A client that repeats what was not answered, up to so many times. A command carries an Idempotency-Key then. */
export function createApi(baseUrl: string, key: string, attempts: number): Api {
  return createClient(endpoints, { baseUrl, key, timeoutMs: TIMEOUT_MS, attempts });
}
