import type { Endpoint, KeyCaller } from '@paper/contracts';
import type { Freshness } from './freshness.ts';
import { ReadCache } from './read-cache.ts';
import type { ProgressSource } from './progress.ts';
import { ownerOfKey } from '../models/accounts/queries.ts';
import type { ReadModels } from './read-models.ts';

/** A number of keys above those that are used at the same time. */
const CACHE_LIMITS = { answers: 50_000, bytes: 32 * 1024 * 1024 };
/** The approximate size of a cached caller: its texts and permissions. */
const CALLER_BYTES = 400;

/**
 * Finds the owner of a key in the projection. A request that needs a key first waits until the projection has reached the
 * journal's head, so that a key just issued works and a key just revoked does not. A look-up is cached until the
 * projection moves on; where the projector is in the same process, until it projects more than trading.
 *
 * If the projection does not reach the head in time, no key can be judged: an unknown one may have been issued, and a
 * known one may have been revoked. Every look-up is then `Unavailable`, even of a key that was never issued. A public
 * read needs no key and waits for nothing: there a key only decides whose rate limit counts.
 */
export function createAuthenticator(
  readModels: Pick<ReadModels, 'queryOne' | 'generation'>,
  freshness: Freshness,
  progress: Pick<ProgressSource, 'keysSeq' | 'newest'>,
) {
  // The owner of a key does not depend on the minute.
  const owners = new ReadCache<KeyCaller | null>({
    now: () => 0,
    limits: CACHE_LIMITS,
    generation: () => readModels.generation,
  });
  const lookUp = (keyHash: string, minSeq: number): KeyCaller | null | Promise<KeyCaller | null> =>
    owners.get(keyHash, Math.min(minSeq, progress.keysSeq?.() ?? minSeq), async () => {
      const { value: found, seq } = await readModels.queryOne(ownerOfKey, keyHash);
      // Unknown keys are unbounded, so they are never cached.
      return found === null
        ? { value: null, seq, bytes: null }
        : { value: { kind: 'key', ...found }, seq, bytes: CALLER_BYTES };
    });

  /** @throws Unavailable where what needs a key has waited in vain. */
  const authenticate = async (keyHash: string, endpoint: Pick<Endpoint, 'auth'>): Promise<KeyCaller | null> =>
    lookUp(keyHash, await (endpoint.auth === 'public' ? progress.newest() : freshness.reached()));
  /** The key's owner at the last lookup: the account that a request counts against, before anything is read. */
  const cachedOwner = (keyHash: string): KeyCaller | null => owners.peek(keyHash) ?? null;
  return Object.assign(authenticate, { cachedOwner });
}
