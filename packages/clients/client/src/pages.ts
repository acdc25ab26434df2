import type { ApiAnswer } from './answer.ts';

/**
 * Reads the items of a list by `request`, page by page, while `goesOn` returns true for a page.
 *
 * ```ts
 * const fills = await readPages((cursor) => client.request('listFills', { query: { limit: 500, cursor } }));
 * ```
 *
 * @param page sends the request of the page at a cursor; undefined: the first one
 * @throws ApiRefusal when a page has another status than 200
 */
export async function readPages<T>(
  page: (cursor: string | undefined) => Promise<ApiAnswer<readonly T[]>>,
  goesOn: (items: readonly T[]) => boolean = () => true,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (let cursor: string | undefined; ;) {
    const { body, nextCursor } = await page(cursor);
    found.push(...body);
    if (nextCursor === null || !goesOn(body)) return found;
    cursor = nextCursor;
  }
}

/** One page of a list, and the function that reads the next one; null on the last page. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: (() => Promise<Page<T>>) | null;
}

/**
 * A list of the API. Awaited, it gives the first page; iterated, it gives every item, reading page after page.
 *
 * ```ts
 * const newest = await client.fetchMarkets({ limit: 10 });
 * for await (const market of client.fetchMarkets()) console.log(market.title);
 * ```
 */
export class Pages<T> implements PromiseLike<readonly T[]>, AsyncIterable<T> {
  readonly #read: () => Promise<Page<T>>;

  constructor(read: () => Promise<Page<T>>) {
    this.#read = read;
  }

  /** The first page. */
  then<A = readonly T[], B = never>(
    onFulfilled?: ((items: readonly T[]) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#read()
      .then(({ items }) => items)
      .then(onFulfilled, onRejected);
  }

  /** Every item. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const items of this.pages()) yield* items;
  }

  /** Yields page after page. */
  async *pages(): AsyncGenerator<readonly T[], void, undefined> {
    for (let page = await this.#read(); ; page = await page.next()) {
      yield page.items;
      if (page.next === null) return;
    }
  }

  /** Every item, at most `max`. */
  async all(max: number = Infinity): Promise<T[]> {
    const found: T[] = [];
    for await (const items of this.pages()) {
      found.push(...items.slice(0, max - found.length));
      if (found.length >= max) break;
    }
    return found;
  }
}
