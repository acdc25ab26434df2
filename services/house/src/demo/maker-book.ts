import type { FillBody, OrderBody } from '@paper/contracts/orders';
import { readPages } from 'paper-trading-client';
import type { Requests } from 'paper-trading-client';
import { holdings, isOpen, assertNotDelayed, unitsOf } from '../api-answers.ts';
import { NOTHING_HELD } from '../quotes.ts';
import type { Holding, RestingQuote } from '../quotes.ts';
import { sendOrders } from '../send-orders.ts';
import type { OrderClient } from '../send-orders.ts';
import type { QuoteChange } from './demo-quotes.ts';
import type { JournalUse } from './journal-budget.ts';

export type MakerClient = OrderClient & Requests<'getPositions' | 'listFills' | 'listOrders'>;

type SentUse = Extract<JournalUse, 'cancel' | 'move' | 'order'>;

const ORDERS_A_PAGE = 120;
const FILLS_A_PAGE = 20;
/** The number of reads of only fills between two reads of the whole account. */
const WHOLE_EVERY = 20;

/**
 * One maker's account: its open orders and shares as last read, plus its own changes since then. Fills change them too,
 * so the account is read again after a fill, after a failure, and from time to time.
 */
export class MakerBook {
  readonly #standing = new Map<string, RestingQuote & { readonly marketId: string }>();
  #held: ReadonlyMap<string, Holding> = new Map();
  /** The journal sequence of the newest fill that was read; null before the first read. */
  #lastSeq: number | null = null;
  /** The number of reads until the whole account is read again. */
  #wholeIn = 0;

  constructor(private readonly client: MakerClient) {}

  standing(marketId: string): readonly RestingQuote[] {
    return [...this.#standing.values()].filter((order) => order.marketId === marketId);
  }

  held(marketId: string): Holding {
    return this.#held.get(marketId) ?? NOTHING_HELD;
  }

  /** Reads the account, and returns its fills since the last read; none at first. Throws ApiRefusal, RetryLater. */
  async read(): Promise<readonly FillBody[]> {
    const { client } = this;
    const known = this.#lastSeq;
    const isNew = ({ seq }: FillBody): boolean => known !== null && seq > known;
    const page = await readPages(
      (cursor) => client.request('listFills', { query: { limit: FILLS_A_PAGE, cursor } }),
      (fills) => fills.every(isNew),
    );
    const fills = page.filter(isNew);
    if (fills.length > 0 || this.#wholeIn <= 0) {
      this.#wholeIn = 0;
      await this.#readWhole();
      this.#wholeIn = WHOLE_EVERY;
    }
    this.#wholeIn -= 1;
    this.#lastSeq = Math.max(known ?? 0, ...page.map(({ seq }) => seq));
    return fills;
  }

  async #readWhole(): Promise<void> {
    const { client } = this;
    const positions = await client.request('getPositions', {});
    assertNotDelayed(positions);
    const orders = await readPages(
      (cursor) => client.request('listOrders', { query: { limit: ORDERS_A_PAGE, cursor } }),
      (each) => each.every(isOpen),
    );
    this.#held = holdings(positions.body);
    this.#standing.clear();
    for (const order of orders.filter(isOpen)) this.#rests(order);
  }

  #rests({ filledQty, id, marketId, outcome, price, quantity, side }: OrderBody): void {
    const priceUnits = unitsOf(price);
    this.#standing.set(id, { id, marketId, outcome, side, priceUnits, filledQty, quantity: quantity - filledQty });
  }

  /** Carries the changes out. `sent` receives the number of orders, moves and cancels. */
  async change(changes: readonly QuoteChange[], sent: (use: SentUse, times: number) => void): Promise<void> {
    const markets = [...new Set(changes.map(({ marketId }) => marketId))].map((marketId) => {
      const own = changes.filter((change) => change.marketId === marketId);
      return {
        marketId,
        open: this.standing(marketId).length,
        cancel: own.flatMap(({ cancel }) => cancel),
        move: own.flatMap(({ move }) => move),
        place: own.flatMap(({ place }) => place),
      };
    });
    const cancelled = markets.flatMap(({ cancel }) => cancel);
    const moved = markets.flatMap(({ move }) => move.map(({ order }) => order.id));
    // Commands are counted before they are sent, so that those whose answers are lost count too.
    sent('cancel', cancelled.length);
    sent('move', moved.length);
    sent('order', markets.flatMap(({ place }) => place).length);
    for (const id of [...cancelled, ...moved]) this.#standing.delete(id);
    // Until all are answered, the resting orders are unknown.
    const wholeIn = this.#wholeIn;
    this.#wholeIn = 0;
    await sendOrders(this.client, markets, (_, { order }) => {
      // A refusal means that the market stopped, or the shares were just sold. The next turn reads the new state.
      if (order !== null && isOpen(order)) this.#rests(order);
      else sent('cancel', 1);
    });
    this.#wholeIn = wholeIn;
  }
}
