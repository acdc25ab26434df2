import type { Random } from '@paper/testkit';

/** The newest values of a kind; it holds enough of them that old and used ones are among them. */
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

  /** Undefined while empty. */
  pick(random: Random): T | undefined {
    // Draws even while empty, so that later draws are the same either way.
    const at = random.next();
    return this.#things[at % Math.max(1, this.#things.length)];
  }
}

/** An id that one key may use. */
export interface OwnedId {
  readonly id: string;
  readonly key: string;
}

/** An answer with its ETag, for conditional reads. */
export interface TaggedAnswer {
  readonly operationId: string;
  readonly path: string;
  readonly key: string | null;
  readonly etag: string;
}

/** A further page of a list, by the link of the page before. */
export interface LinkedPage {
  readonly path: string;
  readonly key: string | null;
}

/** An accepted request with an Idempotency-Key, and its answer's body. */
export interface Done {
  readonly operationId: string;
  readonly path: string;
  readonly key: string;
  readonly idempotencyKey: string;
  readonly body: string | null;
  readonly answer: string;
}

/** Real ids, keys, cursors and ETags of the answers so far, with which requests get past the first check. */
export class Pool {
  readonly markets = new Ring<string>();
  readonly orders = new Ring<OwnedId>();
  readonly clientOrderIds = new Ring<OwnedId>();
  readonly subAccounts = new Ring<OwnedId>();
  readonly keyIds = new Ring<OwnedId>();
  readonly accounts = new Ring<string>();
  readonly backtests = new Ring<OwnedId>();
  /** Raw keys of primaries with every permission. */
  readonly primaries = new Ring<string>(8);
  /** Raw keys of sub-accounts, with any permissions, revoked ones among them. */
  readonly subKeys = new Ring<string>();
  /** All keys so far that a request may revoke, or end with their account. */
  readonly revocable = new Set<string>();
  readonly tagged = new Ring<TaggedAnswer>();
  readonly done = new Ring<Done>();
  readonly #pages = new Map<string, Ring<LinkedPage>>();

  /** Further pages of one list, by its operation. */
  pages(operationId: string): Ring<LinkedPage> {
    const known = this.#pages.get(operationId);
    if (known !== undefined) return known;
    const made = new Ring<LinkedPage>();
    this.#pages.set(operationId, made);
    return made;
  }
}
