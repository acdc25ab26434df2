/**
 * A set of integers (occupied price levels) from 0 to size − 1 ≤ 32,767. Finds the highest, the lowest and the next
 * lower member in a constant number of steps: two levels over a bitmap of 32-bit words mark the non-zero words.
 */
export class PriceSet {
  readonly #words: Int32Array;
  readonly #groups: Int32Array;
  #top = 0;

  constructor(size: number) {
    if (!(size >= 1 && size <= 32_768)) throw new RangeError(`a PriceSet holds 1 to 32768 values, not ${size}`);
    this.#words = new Int32Array((size + 31) >>> 5);
    this.#groups = new Int32Array((size + 1023) >>> 10);
  }

  set(value: number): void {
    const word = value >>> 5;
    const group = value >>> 10;
    this.#words[word] = at(this.#words, word) | (1 << (value & 31));
    this.#groups[group] = at(this.#groups, group) | (1 << (word & 31));
    this.#top |= 1 << group;
  }

  clear(value: number): void {
    const word = value >>> 5;
    const left = at(this.#words, word) & ~(1 << (value & 31));
    this.#words[word] = left;
    if (left === 0) {
      const group = value >>> 10;
      const groupLeft = at(this.#groups, group) & ~(1 << (word & 31));
      this.#groups[group] = groupLeft;
      if (groupLeft === 0) this.#top &= ~(1 << group);
    }
  }

  /** The greatest member; −1 when the set is empty. */
  highest(): number {
    return this.#top === 0 ? -1 : this.#highestIn(highBit(this.#top));
  }

  /** The smallest member; −1 when the set is empty. */
  lowest(): number {
    if (this.#top === 0) return -1;
    const group = lowBit(this.#top);
    const word = (group << 5) | lowBit(at(this.#groups, group));
    return (word << 5) | lowBit(at(this.#words, word));
  }

  /** The greatest member below `value`; −1 when there is none. */
  below(value: number): number {
    const word = value >>> 5;
    const inWord = at(this.#words, word) & ((1 << (value & 31)) - 1);
    if (inWord !== 0) return (word << 5) | highBit(inWord);
    const group = value >>> 10;
    const inGroup = at(this.#groups, group) & ((1 << (word & 31)) - 1);
    if (inGroup !== 0) return this.#highestOf((group << 5) | highBit(inGroup));
    const inTop = this.#top & ((1 << group) - 1);
    return inTop === 0 ? -1 : this.#highestIn(highBit(inTop));
  }

  #highestIn(group: number): number {
    return this.#highestOf((group << 5) | highBit(at(this.#groups, group)));
  }

  #highestOf(word: number): number {
    return (word << 5) | highBit(at(this.#words, word));
  }
}

function at(words: Int32Array, index: number): number {
  return words[index] ?? 0;
}

function highBit(word: number): number {
  return 31 - Math.clz32(word);
}

function lowBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}
