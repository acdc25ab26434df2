import type { Endpoint, KeyCaller } from '@paper/contracts';
import type { Freshness } from './freshness.ts';
import { authenticate } from './queries/accounts.ts';
import type { ReadModels } from './read-models.ts';

/**
 * Who a key belongs to, by the projection. An endpoint that promises to see every command answered before it waits
 * for the journal's head first, so that a key just issued works and a key just revoked does not.
 *
 * An unknown key must not be able to make anybody wait for a projection that is far behind: when the wait fails, what
 * is not known then is refused; only a key that is known makes the failure its answer (503).
 */
export function createAuthenticator(readModels: ReadModels, freshness: Freshness) {
  const lookUp = (keyHash: string): Promise<KeyCaller | null> =>
    readModels.read(async ({ db }) => {
      const found = await authenticate(db, keyHash);
      return found === null ? null : { kind: 'key', ...found };
    });

  return async (keyHash: string, endpoint: Endpoint): Promise<KeyCaller | null> => {
    if (!endpoint.fresh) return lookUp(keyHash);
    try {
      await freshness.reached();
    } catch (unavailable) {
      if ((await lookUp(keyHash)) === null) return null;
      throw unavailable;
    }
    return lookUp(keyHash);
  };
}
