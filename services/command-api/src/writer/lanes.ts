/** First in, first out, without the cost that Array.shift has on a long array. */
class Fifo<T> {
  private items: T[] = [];
  private taken = 0;

  get size(): number {
    return this.items.length - this.taken;
  }

  push(item: T): void {
    this.items.push(item);
  }

  peek(): T | undefined {
    return this.items[this.taken];
  }

  shift(): T | undefined {
    const item = this.items[this.taken];
    if (item === undefined) return undefined;
    this.taken += 1;
    if (this.taken > 64 && this.taken * 2 > this.items.length) {
      this.items = this.items.slice(this.taken);
      this.taken = 0;
    }
    return item;
  }
}

/**
 * What waits to be decided: a FIFO for each lane (an account, an operator, the system), and a ring of the lanes that
 * have something. Each turn takes one from the next lane, so that nobody's flood delays another by more than one.
 */
export class Lanes<T extends object> {
  private readonly lanes = new Map<string, Fifo<T>>();
  private readonly ring = new Fifo<string>();
  private waiting = 0;

  /** How many wait, over all lanes. */
  get depth(): number {
    return this.waiting;
  }

  depthOf(lane: string): number {
    return this.lanes.get(lane)?.size ?? 0;
  }

  push(lane: string, item: T): void {
    let fifo = this.lanes.get(lane);
    if (fifo === undefined) {
      fifo = new Fifo();
      this.lanes.set(lane, fifo);
      this.ring.push(lane);
    }
    fifo.push(item);
    this.waiting += 1;
  }

  /** The next item of the next lane; undefined when nothing waits. */
  shift(): T | undefined {
    for (let lane = this.ring.shift(); lane !== undefined; lane = this.ring.shift()) {
      const fifo = this.lanes.get(lane);
      const item = fifo?.shift();
      if (fifo === undefined || fifo.size === 0) this.lanes.delete(lane);
      else this.ring.push(lane);
      if (item === undefined) continue;
      this.waiting -= 1;
      return item;
    }
    return undefined;
  }

  /** Takes what is over off the front of a lane. An emptied lane leaves the ring at its next turn. */
  dropWhile(lane: string, over: (item: T) => boolean): void {
    const fifo = this.lanes.get(lane);
    if (fifo === undefined) return;
    for (let item = fifo.peek(); item !== undefined && over(item); item = fifo.peek()) {
      fifo.shift();
      this.waiting -= 1;
    }
  }
}
