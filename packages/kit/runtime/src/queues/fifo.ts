/** First in, first out, without the cost that Array.shift has on a long array. */
export class Fifo<T> {
  #items: T[] = [];
  #taken = 0;

  get size(): number {
    return this.#items.length - this.#taken;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  peek(): T | undefined {
    return this.#items[this.#taken];
  }

  shift(): T | undefined {
    const item = this.#items[this.#taken];
    if (item === undefined) return undefined;
    this.#taken += 1;
    if (this.#taken > 64 && this.#taken * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#taken);
      this.#taken = 0;
    }
    return item;
  }

  /** The items after the newest one that does not pass, in their order. */
  newestWhile(passes: (item: T) => boolean): readonly T[] {
    const lastOther = this.#items.findLastIndex((item) => !passes(item));
    return this.#items.slice(Math.max(this.#taken, lastOther + 1));
  }
}
