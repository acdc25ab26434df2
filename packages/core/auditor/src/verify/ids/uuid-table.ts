/** The first number of slots, a power of two so that a mask finds a slot; and the largest share of used slots. */
const SLOTS = 4_096;
const FULL = 0.75;
const WORDS = 4;

type Words = readonly [number, number, number, number];

/**
 * A hash table of UUIDs with a sequence and a number of events each. It is exact, at 29 to 59 bytes a UUID: 10,000,000
 * of them take 370 MB, several times less than a Map of texts.
 */
export class UuidTable {
  #words = new Uint32Array(SLOTS * WORDS);
  #seqs = new Uint32Array(SLOTS);
  #events = new Uint16Array(SLOTS);
  #count = 0;
  readonly #mask: number;

  /** @param lastDigits whether UUIDs that differ only in the last three hex digits are different */
  constructor(lastDigits: boolean) {
    this.#mask = lastDigits ? 0xffff_ffff : 0xffff_f000;
  }

  /** Seq 0 marks an empty slot. @returns null if the UUID is new, else the sequence that it was added with */
  add(uuid: string, seq: number, events = 1): number | null {
    if (this.#count >= this.#seqs.length * FULL) this.#grow();
    const words = wordsOf(uuid);
    const slot = this.#slotOf(words);
    const before = this.#seqs[slot] ?? 0;
    if (before !== 0) return before;
    this.#words.set(words, slot * WORDS);
    this.#seqs[slot] = seq;
    this.#events[slot] = events;
    this.#count += 1;
    return null;
  }

  find(uuid: string): { readonly events: number; readonly lastDigits: number } | null {
    const slot = this.#slotOf(wordsOf(uuid));
    if (this.#seqs[slot] === 0) return null;
    return { events: this.#events[slot] ?? 0, lastDigits: (this.#words[slot * WORDS + 3] ?? 0) & 0xfff };
  }

  #slotOf([a, b, c, last]: Words): number {
    const d = last & this.#mask;
    const mask = this.#seqs.length - 1;
    const words = this.#words;
    // UUIDs of one millisecond differ only in their last words; the multiplications spread them.
    let mixed = Math.imul(a ^ Math.imul(b, 0x85ebca6b), 0xc2b2ae35) ^ Math.imul(c ^ d, 0x9e3779b1);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
    for (let slot = (mixed ^ (mixed >>> 13)) & mask; ; slot = (slot + 1) & mask) {
      if (this.#seqs[slot] === 0) return slot;
      const at = slot * WORDS;
      const isSame = ((words[at + 3] ?? 0) & this.#mask) === d && words[at + 2] === c;
      if (isSame && words[at + 1] === b && words[at] === a) return slot;
    }
  }

  #grow(): void {
    const [words, seqs, events] = [this.#words, this.#seqs, this.#events];
    this.#words = new Uint32Array(words.length * 2);
    this.#seqs = new Uint32Array(seqs.length * 2);
    this.#events = new Uint16Array(events.length * 2);
    for (const [slot, seq] of seqs.entries()) {
      if (seq === 0) continue;
      const uuid = words.subarray(slot * WORDS, slot * WORDS + WORDS) as unknown as Words;
      const to = this.#slotOf(uuid);
      this.#words.set(uuid, to * WORDS);
      this.#seqs[to] = seq;
      this.#events[to] = events[slot] ?? 0;
    }
  }
}

function wordsOf(uuid: string): Words {
  return [
    hex(uuid, 0, 8),
    ((hex(uuid, 9, 13) << 16) | hex(uuid, 14, 18)) >>> 0,
    ((hex(uuid, 19, 23) << 16) | hex(uuid, 24, 28)) >>> 0,
    hex(uuid, 28, 36),
  ];
}

/** Parses up to eight hex digits. Every event's ids are read, so no text is made for each part. */
function hex(digits: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const code = digits.charCodeAt(at);
    value = (value << 4) | (code < CODE_OF_A ? code - CODE_OF_0 : code - CODE_OF_A + 10);
  }
  return value >>> 0;
}

const CODE_OF_0 = 0x30;
const CODE_OF_A = 0x61;
