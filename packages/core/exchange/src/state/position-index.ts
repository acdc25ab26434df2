import type { Account, Position } from './account.ts';

const SLOTS_MIN = 4;
/** 2³² / φ: spreads consecutive numbers over all slots. */
const SPREAD = 0x9e3779b1;

/**
 * A market's positions in the order of opening, with an index by account: a hash table with open addressing over the
 * accounts' numbers. A start opens half a million positions, so it must be small and fast.
 */
export class PositionIndex {
  readonly list: Position[] = [];
  /** For each slot 1 + an index of the list, or 0. The length is a power of two; at most half is used. */
  #slots = new Int32Array(SLOTS_MIN);

  find(account: Account): Position | null {
    const { list } = this;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = slotOf(account, mask); ; slot = (slot + 1) & mask) {
      const position = list[(slots[slot] ?? 0) - 1];
      if (position === undefined || position.account === account) return position ?? null;
    }
  }

  add(position: Position): void {
    this.list.push(position);
    if (2 * this.list.length > this.#slots.length) {
      this.#slots = new Int32Array(2 * this.#slots.length);
      this.list.forEach((each, index) => this.#take(each, index));
    } else {
      this.#take(position, this.list.length - 1);
    }
  }

  #take(position: Position, index: number): void {
    const mask = this.#slots.length - 1;
    let slot = slotOf(position.account, mask);
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = index + 1;
  }
}

function slotOf(account: Account, mask: number): number {
  const spread = Math.imul(account.number, SPREAD);
  return (spread ^ (spread >>> 16)) & mask;
}
