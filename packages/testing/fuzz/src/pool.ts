import type { Random } from '@paper/testkit';

/** The newest values of a kind, in a buffer large enough to contain old and used ones too. */
export class Ring<T> {
  readonly #things: T[] = [];
  #added = 0;

  constructor(private readonly size = 40) {}

  add(thing: T): void {
    this.#things[this.#added % this.size] = thing;
    this.#added += 1;
  }

  pick(random: Random): T | undefined {
    // A number is drawn even while the ring is empty, so that later draws do not depend on its content.
    const at = random.next();
    return this.#things[at % Math.max(1, this.#things.length)];
  }
}

/** An id that one key may use. */
export interface OwnedId {
  readonly id: string;
  readonly key: string;
}

export interface TaggedAnswer {
  readonly operationId: string;
  readonly path: string;
  readonly key: string | null;
  readonly etag: string;
}

/** A further page of a list, with the link of the previous page. */
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

/** Real ids, keys, cursors and ETags of the answers so far. Requests with these values pass the first checks. */
export class Pool {
  readonly markets = new Ring<string>();
  readonly orders = new Ring<OwnedId>();
  readonly clientOrderIds = new Ring<OwnedId>();
  readonly subAccounts = new Ring<OwnedId>();
  readonly keyIds = new Ring<OwnedId>();
  readonly accounts = new Ring<string>();
  readonly backtests = new Ring<OwnedId>();
  /** The raw keys of primary accounts with every permission. */
  readonly primaries = new Ring<string>(8);
  /** The raw keys of sub-accounts, with any permissions. Some are revoked. */
  readonly subKeys = new Ring<string>();
  /** All keys so far that a request may revoke, or end by closing their account. */
  readonly revocable = new Set<string>();
  readonly tagged = new Ring<TaggedAnswer>();
  readonly done = new Ring<Done>();
  readonly #pages = new Map<string, Ring<LinkedPage>>();

  pages(operationId: string): Ring<LinkedPage> {
    const pages = this.#pages.get(operationId) ?? new Ring<LinkedPage>();
    this.#pages.set(operationId, pages);
    return pages;
  }
}
