interface CacheEntry<T> {
  readonly key: string;
  readonly value: T;
  readonly bytes: number;
  older: CacheEntry<T> | null;
  newer: CacheEntry<T> | null;
}

/** The size limits of a cache. */
export interface CacheLimits {
  readonly answers: number;
  readonly bytes: number;
}

/**
 * A cache bounded in entries and in bytes that evicts the least recently used entry first. The entries form a list in
 * the order of their use: a Map that is reordered at each use reallocates its table again and again.
 */
export class LruCache<T> {
  readonly #entries = new Map<string, CacheEntry<T>>();
  #oldest: CacheEntry<T> | null = null;
  #newest: CacheEntry<T> | null = null;
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
    if (entry !== this.#newest) {
      this.#unlink(entry);
      this.#append(entry);
    }
    return entry.value;
  }

  /** @param bytes the size of the value; the key's size is added */
  set(key: string, value: T, bytes: number): void {
    this.delete(key);
    const entry: CacheEntry<T> = { key, value, bytes: bytes + 2 * key.length, older: null, newer: null };
    if (entry.bytes > this.limits.bytes) return;
    this.#entries.set(key, entry);
    this.#append(entry);
    this.#bytes += entry.bytes;
    while (this.#oldest !== null && (this.#entries.size > this.limits.answers || this.#bytes > this.limits.bytes)) {
      this.delete(this.#oldest.key);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#unlink(entry);
    this.#bytes -= entry.bytes;
  }

  #append(entry: CacheEntry<T>): void {
    entry.older = this.#newest;
    entry.newer = null;
    if (this.#newest === null) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  #unlink({ older, newer }: CacheEntry<T>): void {
    if (older === null) this.#oldest = newer;
    else older.newer = newer;
    if (newer === null) this.#newest = older;
    else newer.older = older;
  }
}
