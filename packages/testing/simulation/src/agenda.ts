interface Item {
  readonly atUs: number;
  readonly number: number;
  readonly work: () => void;
}

/** Simulated time: a queue of tasks by time, in whole microseconds. Time advances from one task to the next. */
export class Agenda {
  #nowUs = 0;
  #added = 0;
  /** The tasks in reverse order: the next one is the last. */
  readonly #items: Item[] = [];

  get nowUs(): number {
    return this.#nowUs;
  }

  /** Schedules a task after this delay. Tasks of the same time run in the order of adding. */
  add(delayUs: number, work: () => void): () => void {
    const item = { atUs: this.#nowUs + Math.max(0, Math.round(delayUs)), number: (this.#added += 1), work };
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#items[middle]?.atUs ?? 0) > item.atUs) low = middle + 1;
      else high = middle;
    }
    this.#items.splice(low, 0, item);
    return () => {
      const at = this.#items.indexOf(item);
      if (at >= 0) this.#items.splice(at, 1);
    };
  }

  /** Runs the next task. @throws Error when none is left */
  next(): void {
    const item = this.#items.pop();
    if (item === undefined) throw new Error('nothing is left to happen');
    this.#nowUs = item.atUs;
    item.work();
  }
}
