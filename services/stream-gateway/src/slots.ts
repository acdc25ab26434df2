import { FairQueue } from '@paper/runtime/queues';
import type { Lane } from '@paper/runtime/queues';

/** Limits how many tasks work at once. Others wait: primary accounts take turns, then the accounts of each. */
export class Slots {
  readonly #waiting = new FairQueue<() => void>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  async use<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(lane, resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
