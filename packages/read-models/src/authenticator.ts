import type { Endpoint, KeyCaller } from '@paper/contracts';
import type { Freshness } from './freshness.ts';
import { KeptReads } from './kept-reads.ts';
import type { ProgressSource } from './progress.ts';
import { ownerOfKey } from './queries/accounts.ts';
import type { ReadModels } from './read-models.ts';

/** More keys than are used at the same time. */
const ROOM = { answers: 50_000, bytes: 32 * 1024 * 1024 };
/** Of a caller, about: its texts and permissions. */
const CALLER_BYTES = 400;

/**
 * Who a key belongs to, by the projection. What needs a key waits for the journal's head first, so that a key just
 * issued works and a key just revoked does not. What was looked up is kept as long as nothing has happened since.
 *
 * Where the projection does not come to the head in time, nobody knows whose a key is: one that it lacks may have been
 * issued, and one that it has may have been revoked. So then every key is told 503, also one that is nobody's. A public
 * read needs no key and waits for nothing: there a key only says whose rate counts.
 */
export function createAuthenticator(
  readModels: Pick<ReadModels, 'ask' | 'generation'>,
  freshness: Freshness,
  progress: Pick<ProgressSource, 'newest'>,
) {
  // Of whose a key is nothing ends with a minute.
  const kept = new KeptReads<KeyCaller | null>({ now: () => 0, room: ROOM, generation: () => readModels.generation });
  const lookUp = (keyHash: string, known: number): KeyCaller | null | Promise<KeyCaller | null> =>
    kept.get(keyHash, known, async () => {
      const { value: found, seq } = await readModels.ask(ownerOfKey, keyHash);
      // There is no end of keys that are none.
      return found === null
        ? { value: null, seq, bytes: null }
        : { value: { kind: 'key', ...found }, seq, bytes: CALLER_BYTES };
    });

  /** @throws ApiError unavailable where what needs a key has waited in vain. */
  const authenticate = async (keyHash: string, endpoint: Pick<Endpoint, 'auth'>): Promise<KeyCaller | null> =>
    lookUp(keyHash, await (endpoint.auth === 'public' ? progress.newest() : freshness.reached()));
  /** Whose the key was when it was last looked up: says whom a request counts against, before anybody is asked. */
  const cachedOwner = (keyHash: string): KeyCaller | null => kept.peek(keyHash) ?? null;
  return Object.assign(authenticate, { cachedOwner });
}
