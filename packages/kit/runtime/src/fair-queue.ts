/** First in, first out, without the cost that Array.shift has on a long array. */
class Fifo<T> {
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
}

/** Queues by name, and the ring in which the non-empty ones take turns. */
class Ring<Q extends { readonly size: number }> {
  readonly #queues = new Map<string, Q>();
  readonly #order = new Fifo<string>();

  find(name: string): Q | undefined {
    return this.#queues.get(name);
  }

  /** The queue with this name; a new one enters the ring last. */
  enter(name: string, create: () => Q): Q {
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const queue = create();
    this.#queues.set(name, queue);
    this.#order.push(name);
    return queue;
  }

  /** Takes an item from the queue whose turn it is. An empty queue leaves the ring at its next turn. */
  shift<T>(take: (queue: Q) => T | undefined): T | undefined {
    for (let name = this.#order.shift(); name !== undefined; name = this.#order.shift()) {
      const queue = this.#queues.get(name);
      const item = queue === undefined ? undefined : take(queue);
      if (queue === undefined || queue.size === 0) this.#queues.delete(name);
      else this.#order.push(name);
      if (item !== undefined) return item;
    }
    return undefined;
  }
}

/** The lane of an item: the queue of an account, which belongs to a fleet. */
export interface Lane {
  readonly fleet: string;
  readonly account: string;
}

/**
 * A fair queue of waiting items, with a first-in-first-out queue for each account. Fleets take turns, and so do the
 * accounts within a fleet, one item at a time. So neither a flood nor many accounts delay another fleet by more than one
 * item a turn.
 */
export class FairQueue<T extends object> {
  readonly #fleets = new Ring<AccountQueues<T>>();
  #waiting = 0;

  /** The number of waiting items, of all accounts. */
  get depth(): number {
    return this.#waiting;
  }

  depthOf({ fleet, account }: Lane): number {
    return this.#fleets.find(fleet)?.accounts.find(account)?.size ?? 0;
  }

  push({ fleet, account }: Lane, item: T): void {
    this.#fleets.enter(fleet, () => new AccountQueues<T>()).push(account, item);
    this.#waiting += 1;
  }

  /**
   * Puts back an unfinished item: it is next at its fleet's next turn, before all others of the fleet. A fleet can have
   * one such item.
   */
  putBack({ fleet }: Lane, item: T): void {
    this.#fleets.enter(fleet, () => new AccountQueues<T>()).unfinished = item;
    this.#waiting += 1;
  }

  /** Takes the next item of the account whose turn it is; undefined when nothing waits. */
  shift(): T | undefined {
    const item = this.#fleets.shift((fleet) => fleet.shift());
    if (item !== undefined) this.#waiting -= 1;
    return item;
  }

  /** Removes items from the front of an account's queue for as long as `over` holds for them. */
  dropWhile({ fleet, account }: Lane, over: (item: T) => boolean): void {
    this.#waiting -= this.#fleets.find(fleet)?.dropWhile(account, over) ?? 0;
  }
}

class AccountQueues<T extends object> {
  readonly accounts = new Ring<Fifo<T>>();
  /** An item that was put back. */
  unfinished: T | null = null;
  #waiting = 0;

  get size(): number {
    return this.#waiting + (this.unfinished === null ? 0 : 1);
  }

  push(account: string, item: T): void {
    this.accounts.enter(account, () => new Fifo<T>()).push(item);
    this.#waiting += 1;
  }

  shift(): T | undefined {
    const { unfinished } = this;
    if (unfinished !== null) {
      this.unfinished = null;
      return unfinished;
    }
    const item = this.accounts.shift((queue) => queue.shift());
    if (item !== undefined) this.#waiting -= 1;
    return item;
  }

  /** Returns the number of removed items. */
  dropWhile(account: string, over: (item: T) => boolean): number {
    const queue = this.accounts.find(account);
    let dropped = 0;
    if (this.unfinished !== null && over(this.unfinished)) {
      this.unfinished = null;
      dropped += 1;
    }
    for (let item = queue?.peek(); item !== undefined && over(item); item = queue?.peek()) {
      queue?.shift();
      this.#waiting -= 1;
      dropped += 1;
    }
    return dropped;
  }
}
