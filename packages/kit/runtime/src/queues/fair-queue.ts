import { Fifo } from './fifo.ts';

class Ring<Q extends { readonly size: number }> {
  readonly #queues = new Map<string, Q>();
  readonly #order = new Fifo<string>();

  find(name: string): Q | undefined {
    return this.#queues.get(name);
  }

  enter(name: string, create: () => Q): Q {
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const queue = create();
    this.#queues.set(name, queue);
    this.#order.push(name);
    return queue;
  }

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

export interface Lane {
  readonly fleet: string;
  readonly account: string;
}

/** Waiting items. Fleets (a primary account with its sub-accounts) take turns, then the accounts of a fleet. */
export class FairQueue<T extends object> {
  readonly #fleets = new Ring<AccountQueues<T>>();
  #waiting = 0;

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

  /** Puts back an unfinished item, of which a fleet can have one: it is next at its fleet's next turn. */
  putBack({ fleet }: Lane, item: T): void {
    this.#fleets.enter(fleet, () => new AccountQueues<T>()).unfinished = item;
    this.#waiting += 1;
  }

  shift(): T | undefined {
    const item = this.#fleets.shift((fleet) => fleet.shift());
    if (item !== undefined) this.#waiting -= 1;
    return item;
  }

  dropWhile({ fleet, account }: Lane, over: (item: T) => boolean): void {
    this.#waiting -= this.#fleets.find(fleet)?.dropWhile(account, over) ?? 0;
  }
}

class AccountQueues<T extends object> {
  readonly accounts = new Ring<Fifo<T>>();
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
