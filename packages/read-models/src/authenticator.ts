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
 * Who a key belongs to, by the projection. An endpoint that promises to see every command answered before it waits
 * for the journal's head first, so that a key just issued works and a key just revoked does not. What was looked up is
 * kept as long as nothing has happened since.
 *
 * An unknown key must not be able to make anybody wait for a projection that is far behind: when the wait fails, what
 * is not known then is refused; only a key that is known makes the failure its answer (503).
 */
export function createAuthenticator(
  readModels: Pick<ReadModels, 'ask'>,
  freshness: Freshness,
  progress: Pick<ProgressSource, 'newest'>,
) {
  // Of whose a key is nothing ends with a minute.
  const kept = new KeptReads<KeyCaller | null>({ now: () => 0, room: ROOM });
  const lookUp = (keyHash: string, known: number): KeyCaller | null | Promise<KeyCaller | null> =>
    kept.get(keyHash, known, async () => {
      const { value: found, seq } = await readModels.ask(ownerOfKey, keyHash);
      // There is no end of keys that are none.
      return found === null
        ? { value: null, seq, bytes: null }
        : { value: { kind: 'key', ...found }, seq, bytes: CALLER_BYTES };
    });

  return async (keyHash: string, endpoint: Endpoint): Promise<KeyCaller | null> => {
    if (!endpoint.fresh) return lookUp(keyHash, await progress.newest());
    let head: number;
    try {
      head = await freshness.reached();
    } catch (unavailable) {
      if ((await lookUp(keyHash, await progress.newest())) === null) return null;
      throw unavailable;
    }
    return lookUp(keyHash, head);
  };
}
