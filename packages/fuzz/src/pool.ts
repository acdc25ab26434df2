import type { Random } from '@paper/testkit';

/** The newest things of a kind that answers have told of, so many that old and spent ones are among them. */
export class Ring<T> {
  readonly #things: T[] = [];
  readonly #size: number;
  #added = 0;

  constructor(size = 40) {
    this.#size = size;
  }

  add(thing: T): void {
    this.#things[this.#added % this.#size] = thing;
    this.#added += 1;
  }

  /** Undefined as long as there is none. */
  pick(random: Random): T | undefined {
    // Drawn also where there is nothing to pick from: what is drawn later is the same either way.
    const at = random.next();
    return this.#things[at % Math.max(1, this.#things.length)];
  }
}

/** Something that one key may use. */
export interface Owned {
  readonly id: string;
  readonly key: string;
}

/** An answer that may be asked for again, by the tag that it had. */
export interface Tagged {
  readonly operationId: string;
  readonly path: string;
  readonly key: string | null;
  readonly etag: string;
}

/** A further page of a list, as the page before linked it. */
export interface LinkedPage {
  readonly path: string;
  readonly key: string | null;
}

/** A request with an Idempotency-Key that was done, and its answer's body. */
export interface Done {
  readonly operationId: string;
  readonly path: string;
  readonly key: string;
  readonly idempotencyKey: string;
  readonly body: string | null;
  readonly answer: string;
}

/** What the answers so far have told: real ids, keys, cursors and tags, so that requests get past the first check. */
export class Pool {
  readonly markets = new Ring<string>();
  readonly orders = new Ring<Owned>();
  readonly subAccounts = new Ring<Owned>();
  readonly keyIds = new Ring<Owned>();
  readonly accounts = new Ring<string>();
  /** Raw keys of primaries with every permission. */
  readonly primaries = new Ring<string>(8);
  /** Raw keys of sub-accounts, with any permissions, revoked ones among them. */
  readonly subKeys = new Ring<string>();
  /** All of those that there ever were. */
  readonly revocable = new Set<string>();
  readonly tagged = new Ring<Tagged>();
  readonly done = new Ring<Done>();
  readonly #pages = new Map<string, Ring<LinkedPage>>();

  /** The further pages of one list, by its operation. */
  pages(operationId: string): Ring<LinkedPage> {
    const known = this.#pages.get(operationId);
    if (known !== undefined) return known;
    const made = new Ring<LinkedPage>();
    this.#pages.set(operationId, made);
    return made;
  }
}
