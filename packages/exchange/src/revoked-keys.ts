import type { ApiKey } from './account.ts';
import type { Settings } from './commands.ts';

/** The most keys that one event removes, so that its cost is bounded. Each event revokes one key at most. */
const FORGOTTEN_PER_EVENT = 64;

/** The revoked keys that are still in the state, in the order in which they were revoked: a linked queue. */
export class RevokedKeys {
  #oldest: ApiKey | null = null;
  #newest: ApiKey | null = null;

  /** Adds a key that has just been revoked. */
  add(key: ApiKey): void {
    if (this.#newest === null) {
      this.#oldest = key;
    } else {
      this.#newest.revokedNext = key;
    }
    this.#newest = key;
    key.account.revokedKeys.push(key);
  }

  /** Removes and returns the oldest key that was revoked before `sinceMs`; null when there is none. */
  #takeBefore(sinceMs: number): ApiKey | null {
    const key = this.#oldest;
    if (key === null || !wasRevokedBefore(key, sinceMs)) return null;
    this.#oldest = key.revokedNext;
    if (this.#oldest === null) {
      this.#newest = null;
    }
    key.account.revokedKeys.shift();
    return key;
  }

  /**
   * Removes the keys that were revoked before `sinceMs`, also from `keys`, which has every key by its id. No decision
   * depends on whether a key that old is still here: it counts as unknown either way, and the read model has its owner.
   */
  forgetBefore(sinceMs: number, keys: Map<string, ApiKey>): void {
    for (let forgotten = 0; forgotten < FORGOTTEN_PER_EVENT; forgotten += 1) {
      const key = this.#takeBefore(sinceMs);
      if (key === null) return;
      keys.delete(key.id);
    }
  }

  *oldestFirst(): Generator<ApiKey, void, undefined> {
    for (let key = this.#oldest; key !== null; key = key.revokedNext) {
      yield key;
    }
  }
}

/** The time since which a revoked key counts, for a decision or event at `atMs`. */
export function revokedSince(settings: Settings, atMs: number): number {
  return atMs - settings.revokedKeyWindowMs;
}

/** Whether a key was revoked so long ago that the exchange may have removed it. */
export function wasRevokedBefore(key: ApiKey, sinceMs: number): boolean {
  return key.revokedAt !== null && key.revokedAt < sinceMs;
}
