/** An answer that is kept, and how many bytes it takes. */
interface Kept<T> {
  readonly value: T;
  readonly bytes: number;
}

/** What a process keeps at most. */
export interface Room {
  readonly answers: number;
  readonly bytes: number;
}

/** Answers by key, bounded in number and in bytes: what was asked for longest ago goes first. */
export class KeptAnswers<T> {
  readonly #kept = new Map<string, Kept<T>>();
  #bytes = 0;

  constructor(private readonly room: Room) {}

  get size(): number {
    return this.#kept.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): T | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    // A Map gives its keys in the order in which they were put in: the newest use is the last.
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.value;
  }

  /** `bytes`: of the value; the key's are counted as well. */
  set(key: string, value: T, bytes: number): void {
    this.delete(key);
    const kept = { value, bytes: bytes + 2 * key.length };
    if (kept.bytes > this.room.bytes) return;
    this.#kept.set(key, kept);
    this.#bytes += kept.bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.room.answers && this.#bytes <= this.room.bytes) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#bytes -= kept.bytes;
  }
}
