import type { OptionalFields } from '../commands.ts';
import { SHARE_UNITS } from '../vocabulary.ts';
import type { Outcome, Side } from '../vocabulary.ts';
import type { Account, ListedOrder, Position } from './account.ts';
import { PriceSet } from './price-set.ts';
import type { Timed } from './timer-queue.ts';

/** An incoming or resting order; `priceUnits` is its limit in own terms, `remaining` its resting shares. */
export class Order implements ListedOrder, Timed {
  level: Level | null = null;
  prev: Order | null = null;
  next: Order | null = null;
  /** The neighbours in the list of the account's open orders, newest acceptance first. */
  prevOfAccount: ListedOrder | null = null;
  nextOfAccount: ListedOrder | null = null;
  heapIndex = -1;
  /** The sum of own price × shares over the order's fills. */
  filledCostUnits = 0;
  /** Whether the order is one of the state's open orders. A replaced order stays open while its fills are applied. */
  isOpen = false;

  constructor(
    readonly id: string,
    readonly position: Position,
    readonly outcome: Outcome,
    readonly side: Side,
    public priceUnits: number,
    /** The order's total quantity, including filled shares. */
    public quantity: number,
    public remaining: number,
    /** Sequence of its OrderPlaced: the order in which orders were accepted. */
    readonly acceptedSeq: number,
    readonly createdAt: number,
    readonly given: OptionalFields,
  ) {}

  get dueAt(): number {
    return this.given.expiresAt ?? Infinity;
  }

  get rank(): number {
    return this.acceptedSeq;
  }

  /** The bid that the order makes on its side of the book: its price for one share of that side's outcome. */
  get bidUnits(): number {
    return this.side === 'buy' ? this.priceUnits : SHARE_UNITS - this.priceUnits;
  }
}

/** The account's open orders, oldest acceptance first. */
export function openOrdersOf(account: Account): Order[] {
  const orders: Order[] = [];
  for (let order = account.lastOrder; order !== null; order = order.nextOfAccount) orders.push(order as Order);
  return orders.reverse();
}

/** All orders at one price on one side of the book, first in, first out. */
export class Level {
  quantity = 0;
  orders = 0;
  head: Order | null = null;
  tail: Order | null = null;

  /** `priceUnits`: the bid for a share of the side's outcome; `rank`: the same in ticks. */
  constructor(
    readonly priceUnits: number,
    readonly rank: number,
  ) {}
}

/** The number of levels in a page: one for each bit of a word of the bitmap. */
const PAGE = 32;

/**
 * The resting orders that buy one outcome. Selling an outcome at p is the same as buying the other at 1 − p. So a book
 * in YES terms has two sides of buyers: `yes` holds the bids, `no` the asks (a NO bid at q is a YES ask at 1 − q). On
 * both, the highest bid is the best. Two orders cross when their bids add up to at least $1. Levels are in pages of 32,
 * made when first needed, under a bitmap that finds the next occupied price.
 */
export class BookSide {
  best: Level | null = null;
  orders = 0;
  readonly #occupied: PriceSet;
  readonly #pages: ((Level | undefined)[] | undefined)[];

  constructor(
    readonly outcome: Outcome,
    private readonly tickUnits: number,
  ) {
    const ranks = SHARE_UNITS / tickUnits;
    this.#occupied = new PriceSet(ranks);
    this.#pages = new Array<(Level | undefined)[] | undefined>((ranks >>> 5) + 1).fill(undefined);
  }

  add(order: Order): void {
    const { bidUnits } = order;
    const rank = (bidUnits / this.tickUnits) | 0;
    let page = this.#pages[rank >>> 5];
    if (page === undefined) {
      page = new Array<Level | undefined>(PAGE).fill(undefined);
      this.#pages[rank >>> 5] = page;
    }
    let level = page[rank & 31];
    if (level === undefined) {
      level = new Level(bidUnits, rank);
      page[rank & 31] = level;
      this.#occupied.set(rank);
      if (this.best === null || rank > this.best.rank) this.best = level;
    }
    const tail = level.tail;
    order.level = level;
    order.prev = tail;
    if (tail === null) level.head = order;
    else tail.next = order;
    level.tail = order;
    level.quantity += order.remaining;
    level.orders += 1;
    this.orders += 1;
  }

  remove(order: Order): void {
    const level = order.level;
    if (level === null) throw new Error(`order ${order.id} is not in the book`);
    const { prev, next } = order;
    if (prev === null) level.head = next;
    else prev.next = next;
    if (next === null) level.tail = prev;
    else next.prev = prev;
    order.level = null;
    order.prev = null;
    order.next = null;
    level.quantity -= order.remaining;
    level.orders -= 1;
    this.orders -= 1;
    if (level.orders === 0) {
      const page = this.#pages[level.rank >>> 5];
      if (page !== undefined) page[level.rank & 31] = undefined;
      this.#occupied.clear(level.rank);
      if (level === this.best) this.best = this.worse(level);
    }
  }

  /** Reduces a resting order by filled or withdrawn shares; it keeps its place in the queue. */
  reduce(order: Order, quantity: number): void {
    order.remaining -= quantity;
    if (order.level !== null) order.level.quantity -= quantity;
  }

  worse(level: Level): Level | null {
    const rank = this.#occupied.below(level.rank);
    return rank < 0 ? null : (this.#pages[rank >>> 5]?.[rank & 31] ?? null);
  }

  levels(): Level[] {
    const levels: Level[] = [];
    for (let level = this.best; level !== null; level = this.worse(level)) levels.push(level);
    return levels;
  }
}

export class Book {
  readonly yes: BookSide;
  readonly no: BookSide;

  constructor(tickUnits: number) {
    this.yes = new BookSide('yes', tickUnits);
    this.no = new BookSide('no', tickUnits);
  }

  /** The side of the book on which such an order rests. The order fills against the other side. */
  sideOf(outcome: Outcome, side: Side): BookSide {
    return (side === 'buy') === (outcome === 'yes') ? this.yes : this.no;
  }

  opposite(side: BookSide): BookSide {
    return side === this.yes ? this.no : this.yes;
  }

  get orders(): number {
    return this.yes.orders + this.no.orders;
  }

  get bestBidUnits(): number | null {
    return this.yes.best === null ? null : this.yes.best.priceUnits;
  }

  get bestAskUnits(): number | null {
    return this.no.best === null ? null : SHARE_UNITS - this.no.best.priceUnits;
  }
}
