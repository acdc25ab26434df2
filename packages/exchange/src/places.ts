import type { Account, Position } from './account.ts';

const SLOTS_MIN = 4;
/** 2³² / φ: spreads numbers that follow on each other over all slots. */
const SPREAD = 0x9e3779b1;

/**
 * A market's places: in the order in which they were made, and by their account. They are found by open addressing over
 * the accounts' numbers, since a start makes half a million of them, and most are not asked for for a long time.
 */
export class Places {
  readonly list: Position[] = [];
  /** 1 + the index of a place in the list, 0 for none. A power of two of them, at most half of them taken. */
  private slots = new Int32Array(SLOTS_MIN);

  find(account: Account): Position | null {
    const { list, slots } = this;
    const mask = slots.length - 1;
    for (let slot = slotOf(account, mask); ; slot = (slot + 1) & mask) {
      const place = list[(slots[slot] ?? 0) - 1];
      if (place === undefined || place.account === account) {
        return place ?? null;
      }
    }
  }

  /** Adds the place of an account that has none. */
  add(place: Position): void {
    this.list.push(place);
    if (2 * this.list.length > this.slots.length) {
      this.slots = new Int32Array(2 * this.slots.length);
      this.list.forEach((each, index) => this.take(each, index));
    } else {
      this.take(place, this.list.length - 1);
    }
  }

  private take(place: Position, index: number): void {
    const mask = this.slots.length - 1;
    let slot = slotOf(place.account, mask);
    while (this.slots[slot] !== 0) {
      slot = (slot + 1) & mask;
    }
    this.slots[slot] = index + 1;
  }
}

/** The first slot to look at. */
function slotOf(account: Account, mask: number): number {
  const spread = Math.imul(account.number, SPREAD);
  return (spread ^ (spread >>> 16)) & mask;
}
