import { MINUTE_MS } from '@paper/contracts/units';
import { LruCache } from './lru-cache.ts';
import type { CacheLimits } from './lru-cache.ts';

export interface ReadCacheSettings {
  readonly now: () => number;
  readonly limits: CacheLimits;
  /** The present generation; readings of another one are not used. Default: always the same. */
  readonly generation?: () => number;
}

/** A value read from the read models, and the sequence that it shows. */
export interface Reading<T> {
  readonly value: T;
  readonly seq: number;
  /** The reading's size in the cache; null if it must not be cached, as an empty reading would evict useful ones. */
  readonly bytes: number | null;
}

/** A cached reading. It is valid until the projection moves, or the minute of its time windows ends. */
interface CachedReading<T> extends Reading<T> {
  readonly minute: number;
  readonly generation: number;
}

type Requirement = Pick<CachedReading<unknown>, 'seq' | 'minute' | 'generation'>;

/**
 * Caches readings of the read models until the projection is known to be ahead of them; then reads again, once for all
 * waiting requests. So no request gets a reading older than the sequence known at its arrival.
 */
export class ReadCache<T> {
  readonly #cache: LruCache<CachedReading<T>>;
  readonly #inFlight = new Map<string, Promise<CachedReading<T>>>();

  constructor(private readonly settings: ReadCacheSettings) {
    this.#cache = new LruCache(settings.limits);
  }

  get usage(): CacheLimits {
    return { answers: this.#cache.size, bytes: this.#cache.bytes };
  }

  /** The cached value, however old; undefined if there is none. */
  peek(key: string): T | undefined {
    return this.#cache.get(key)?.value;
  }

  /** Returns a reading that shows at least `minSeq`: at once if it is cached. Failures are not cached. */
  get(key: string, minSeq: number, read: () => Promise<Reading<T>>): T | Promise<T> {
    const required: Requirement = {
      seq: minSeq,
      minute: Math.floor(this.settings.now() / MINUTE_MS),
      generation: this.#generation(),
    };
    const cached = this.#cache.get(key);
    if (cached !== undefined && meets(cached, required)) return cached.value;
    return this.#coalesce(key, required, read);
  }

  #generation(): number {
    return this.settings.generation?.() ?? 0;
  }

  async #coalesce(key: string, required: Requirement, read: () => Promise<Reading<T>>): Promise<T> {
    const inFlight = this.#inFlight.get(key);
    if (inFlight === undefined) return (await this.#load(key, required, read)).value;
    const cached = await inFlight.catch(() => null);
    if (cached !== null && meets(cached, required)) return cached.value;
    // The read that was in flight may have begun before this request; a read that is in flight now began after it. It may
    // fail for its own client alone, such as one that has too many of its requests waiting.
    const next = this.#inFlight.get(key);
    const joined = next === undefined ? null : await next.catch(() => null);
    return (joined ?? (await this.#load(key, required, read))).value;
  }

  #load(key: string, { minute, generation }: Requirement, read: () => Promise<Reading<T>>): Promise<CachedReading<T>> {
    const loading = read()
      .then((reading) => {
        const cached = { ...reading, minute, generation };
        if (cached.bytes === null) this.#cache.delete(key);
        else this.#cache.set(key, cached, cached.bytes);
        return cached;
      })
      .finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, loading);
    return loading;
  }
}

/** Whether a reading is good enough. One from before the database lost its last commits is still right. */
function meets({ seq, minute, generation }: CachedReading<unknown>, required: Requirement): boolean {
  return seq >= required.seq && minute === required.minute && generation === required.generation;
}
