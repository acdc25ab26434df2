const HASHES = 1_024;

/**
 * A set of row keys as 32-bit hashes, to find rows that should not exist. With a million keys, one in 4,000 wrong keys
 * passes for a right one.
 */
export class KeyHashes {
  #hashes = new Uint32Array(HASHES);
  #count = 0;
  #sorted = false;

  add(key: string): void {
    if (this.#count === this.#hashes.length) {
      const grown = new Uint32Array(this.#count * 2);
      grown.set(this.#hashes);
      this.#hashes = grown;
    }
    this.#hashes[this.#count] = fnv1a(key);
    this.#count += 1;
    this.#sorted = false;
  }

  get count(): number {
    return this.#count;
  }

  /** Never false for a key that was added, seldom true for another. */
  mayHave(key: string): boolean {
    if (!this.#sorted) {
      this.#hashes = this.#hashes.slice(0, this.#count).sort();
      this.#sorted = true;
    }
    const hash = fnv1a(key);
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#hashes[middle] ?? 0) < hash) low = middle + 1;
      else high = middle;
    }
    return this.#hashes[low] === hash;
  }
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
