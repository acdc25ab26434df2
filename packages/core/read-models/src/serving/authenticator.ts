import type { KeyCaller } from '@paper/contracts';
import type { Freshness, FreshnessWait } from './freshness.ts';
import { ReadCache } from './read-cache.ts';
import type { ProgressSource } from './progress.ts';
import { ownerOfKey } from '../models/accounts/queries.ts';
import type { ReadModels } from './read-models.ts';

/** More keys than are used at the same time. */
const CACHE_LIMITS = { answers: 50_000, bytes: 32 * 1024 * 1024 };
/** The approximate size of a cached caller: its texts and permissions. */
const CALLER_BYTES = 400;

/**
 * Finds the owner of a key once the projection has reached the journal's head: a key just issued works, a key just
 * revoked does not. A look-up is cached until the projection moves on; if the projector is in this process, until an
 * event that may change keys. If the head is not reached in time, every look-up is `Unavailable`.
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

  const ownerNow = async (keyHash: string): Promise<KeyCaller | null> => lookUp(keyHash, await progress.newest());
  /** The key's owner at the last look-up: the account that a request counts against, before anything is read. */
  const cachedOwner = (keyHash: string): KeyCaller | null => owners.peek(keyHash) ?? null;
  /** @throws Unavailable when the projection does not catch up in time. */
  const authenticate = async (keyHash: string): Promise<KeyCaller | null> => {
    const owner = cachedOwner(keyHash) ?? (await ownerNow(keyHash));
    return lookUp(keyHash, await freshness.reached({ patient: owner === null }));
  };
  return Object.assign(authenticate, {
    cachedOwner,
    waitUntilCaughtUp: (wait: FreshnessWait) => freshness.reached(wait),
    /** Authenticates against the projection as it is, for answers that do not depend on it. */
    atOnce: Object.assign(ownerNow, { cachedOwner }),
  });
}
