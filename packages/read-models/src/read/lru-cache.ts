interface CacheEntry<T> {
  readonly value: T;
  readonly bytes: number;
}

/** The size limits of a cache. */
export interface CacheLimits {
  readonly answers: number;
  readonly bytes: number;
}

/** A cache bounded in entries and in bytes, which evicts the least recently used entry first. */
export class LruCache<T> {
  readonly #entries = new Map<string, CacheEntry<T>>();
  #bytes = 0;

  constructor(private readonly limits: CacheLimits) {}

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A Map keeps the order of insertion: the most recently used entry is the last.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** `bytes`: the size of the value; that of the key is added. */
  set(key: string, value: T, bytes: number): void {
    this.delete(key);
    const entry = { value, bytes: bytes + 2 * key.length };
    if (entry.bytes > this.limits.bytes) return;
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.limits.answers && this.#bytes <= this.limits.bytes) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}
