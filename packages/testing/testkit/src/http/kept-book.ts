import { BOOK_DEPTH } from '@paper/contracts/markets';
import type { BookDeltaBody, OrderBookBody, RecentTradeBody } from '@paper/contracts/markets';
import { LiveOrderBook } from 'paper-trading-client';
import type { BookLevel, OrderBookEvent } from 'paper-trading-client';

/** The price and quantity of each level, best first; only the levels that an answer contains. */
interface ShownBook {
  readonly asks: readonly (readonly [price: number, quantity: number])[];
  readonly bids: readonly (readonly [price: number, quantity: number])[];
}

/** One event of a book stream. `id` is null for an event without an id. */
export type BookEvent = { readonly id: number | null } & (
  | { readonly type: 'snapshot'; readonly data: OrderBookBody }
  | { readonly type: 'delta'; readonly data: BookDeltaBody }
  | { readonly type: 'trade'; readonly data: RecentTradeBody }
);

/** The part of a body of `GET /api/orderbook/{marketId}` that the stream contains too. */
export function shownBook({
  yes,
}: {
  readonly yes: Readonly<Record<'asks' | 'bids', readonly BookLevel[]>>;
}): ShownBook {
  const cut = (levels: readonly BookLevel[]) =>
    levels.slice(0, BOOK_DEPTH).map(({ price, quantity }) => [price, quantity] as const);
  return { asks: cut(yes.asks), bids: cut(yes.bids) };
}

/** A client's copy of a book, kept up to date by the stream of its market, with every event so far. */
export class KeptBook {
  readonly events: BookEvent[] = [];
  /** The book after each event that has an id. */
  readonly named: { readonly book: ShownBook; readonly seq: number }[] = [];
  readonly #book = new LiveOrderBook();

  /** Every event that has an id, by its kind: `snapshot 7`, `delta 8`. */
  get ids(): readonly string[] {
    return this.events.filter(({ id }) => id !== null).map(({ id, type }) => `${type} ${id}`);
  }

  /** The id of the last event that has one; 0 before the first. */
  get lastId(): number {
    return this.named.at(-1)?.seq ?? 0;
  }

  shown(): ShownBook {
    return shownBook({ yes: this.#book });
  }

  /** Applies a block of the stream. Returns its event; null for a block without an event, such as a comment. */
  take(block: string): BookEvent | null {
    const event = eventOf(block);
    if (event === null) return null;
    this.events.push(event);
    this.#book.apply({ ...event.data, type: event.type, resumed: false } as OrderBookEvent);
    if (event.id !== null) this.named.push({ book: this.shown(), seq: event.id });
    return event;
  }
}

function eventOf(block: string): BookEvent | null {
  const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line] as const));
  const value = (name: string): string | null => fields.get(name)?.slice(name.length + 2) ?? null;
  const data = value('data');
  if (data === null) return null;
  const id = value('id');
  return { data: JSON.parse(data) as never, id: id === null ? null : Number(id), type: value('event') as never };
}
