import { BOOK_DEPTH } from '@paper/contracts/markets';
import type { LevelView } from '@paper/contracts/markets';
import { marketView } from '@paper/exchange';
import type { State } from '@paper/exchange';
import type { ExchangeEvent } from '@paper/exchange/events';
import { decodePublic, withhold } from '@paper/journal';
import type { JournalEvent, PublicCommandlessEvent, StoredEvent } from '@paper/journal';
import { createWorkload, IS_LONG_RUN, StoredExchange } from '@paper/testkit';
import { dump } from '@paper/testkit/dumps';
import type { LevelDump } from '@paper/testkit/dumps';
import { expect } from 'chai';
import { LiveBooks } from '../src/serving/live-books.ts';
import type { BookChange } from '../src/serving/live-books.ts';
import { journalEvents, listed, marketBuyMeetsNoBid, opened, resting, T0 } from './events.ts';

/** The quantities of a book's levels, by side and price. */
type Levels = Record<'ask' | 'bid', Map<number, number>>;

/** Each is a run of 400 commands. */
const SEEDS = IS_LONG_RUN ? 25 : 15;

const noLevels = (): Levels => ({ ask: new Map(), bid: new Map() });

/** What a reader does with a change. Each level has to change. */
function follow(levels: Levels, { levels: changed }: BookChange): void {
  for (const { priceUnits, quantity, side } of changed) {
    expect(quantity, `${side} at ${priceUnits}`).not.to.equal(levels[side].get(priceUnits) ?? 0);
    if (quantity === 0) levels[side].delete(priceUnits);
    else levels[side].set(priceUnits, quantity);
  }
}

const levelOf = ([priceUnits, orders]: LevelDump): LevelView => ({
  orders: orders.length,
  priceUnits,
  quantity: orders.reduce((sum, [, , , , remaining]) => sum + remaining, 0),
});

const quantities = (levels: readonly LevelView[]): Map<number, number> =>
  new Map(levels.map(({ priceUnits, quantity }) => [priceUnits, quantity]));

/** Gives the books an event, of which they see the public part. */
const apply = (books: LiveBooks, event: JournalEvent | undefined): readonly BookChange[] =>
  books.apply(event as unknown as PublicCommandlessEvent);

/** The books of the exchange itself, best levels first. */
const booksOf = (state: State) =>
  dump(state).markets.map(([id, { asks, bids }]) => ({ asks: asks.map(levelOf), bids: bids.map(levelOf), id }));

const withheld = (stored: StoredEvent) => decodePublic(withhold(stored));

/** Runs a workload beside books that follow it, and a reader that follows their changes; counts what it has seen. */
function compare(seed: number, commands: number, seen: Map<string, number>): void {
  const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
  const exchange = new StoredExchange();
  const workload = createWorkload({ seed });
  const books = new LiveBooks(0);
  const reader = new Map<string, Levels>();
  for (let sent = 0; sent < commands; sent += 1) {
    const command = workload.next();
    const { decision, stored } = exchange.take(command);
    workload.observe(command, decision);
    if (decision.kind !== 'accepted') continue;
    const before = books.seq;
    const changes = stored.flatMap((event) => {
      expect(books.seq).to.equal(before);
      return books.apply(withheld(event));
    });
    expect(books.seq).to.equal(exchange.head.seq);
    count(`${command.type}, changed books: ${changes.length}`);
    expect(new Set(changes.map(({ marketId }) => marketId))).to.have.property('size', changes.length);
    for (const change of changes) {
      const { marketId, seq } = change;
      const levels = reader.get(marketId) ?? noLevels();
      reader.set(marketId, levels);
      follow(levels, change);
      expect(change.at).to.equal(decision.events[0]?.at);
      expect(seq).to.equal(marketView(exchange.state, marketId)?.seq);
      expectTrades(change, decision.events, exchange.state);
    }
    for (const { asks, bids, id } of booksOf(exchange.state)) {
      const { ask, bid } = reader.get(id) ?? noLevels();
      expect(ask).to.deep.equal(quantities(asks));
      expect(bid).to.deep.equal(quantities(bids));
      const { lastTradeUnits, phase, seq } = marketView(exchange.state, id) ?? expect.fail('no market');
      expect(books.view(id)).to.deep.equal({ asks, bids, lastTradeUnits, marketId: id, seq });
      expect(books.isLive(id)).to.equal(phase !== 'resolved' && phase !== 'void');
    }
  }
}

function expectTrades(change: BookChange, events: readonly ExchangeEvent[], state: State): void {
  const fills = events.filter((event) => event.type === 'OrderFilled' && event.marketId === change.marketId);
  expect(change.trades).to.have.length(fills.length);
  const market = marketView(state, change.marketId) ?? expect.fail('no market');
  for (const [index, trade] of change.trades.entries()) {
    const fill = fills[index];
    if (fill?.type !== 'OrderFilled') throw new Error('no fill');
    expect(trade.quantity).to.equal(fill.quantity);
    expect(trade.priceUnits).to.equal(trade.outcome === 'yes' ? fill.yesPriceUnits : 10_000 - fill.yesPriceUnits);
    expect(trade).to.include({
      companySlug: market.companySlug,
      resolvedOutcome: null,
      ticker: market.ticker,
      title: market.title,
    });
  }
}

describe('live books', () => {
  it("equal the exchange's own after every decision, as does a reader that follows their changes", function () {
    this.timeout(60_000);
    const seen = new Map<string, number>();
    for (let seed = 1; seed <= SEEDS; seed += 1) compare(seed, 400, seen);
    for (const what of [
      'AmendOrder, changed books: 1',
      'CancelOrder, changed books: 1',
      'CancelOrders, changed books: 2',
      'ContinueRun, changed books: 1',
      'ExpireOrders, changed books: 1',
      'FireDeadManSwitch, changed books: 2',
      'MergeShares, changed books: 0',
      'PlaceOrder, changed books: 1',
      'VoidMarket, changed books: 0',
    ]) {
      expect(seen.get(what), what).to.be.greaterThan(0);
    }
  });

  const yesBid = (order: string, priceUnits: number) =>
    resting('b', order, 'm', { outcome: 'yes', priceUnits, quantity: 7, side: 'buy' });
  const noBid = (order: string, priceUnits: number) =>
    resting('b', order, 'm', { outcome: 'no', priceUnits, quantity: 5, side: 'buy' });
  const mint = marketBuyMeetsNoBid({
    marketId: 'm',
    taker: 'a',
    takerOrder: 'take',
    maker: 'b',
    makerOrder: 'ask',
    yesPriceUnits: 6000,
    quantity: 2,
    makerRemaining: 3,
    at: T0 + 5,
  });
  const settled: ExchangeEvent = {
    at: T0 + 9,
    cancelledOrders: 2,
    marketId: 'm',
    paidUnits: 0,
    settledAccounts: 0,
    type: 'MarketSettled',
  };

  /** Books that were given these decisions. */
  const booksAfter = (...decisions: readonly (readonly ExchangeEvent[])[]): LiveBooks => {
    const books = new LiveBooks(0);
    for (const event of journalEvents(decisions)) apply(books, event);
    return books;
  };

  it('give a decision once, with its last event: levels in YES terms, then trades', () => {
    const books = new LiveBooks(0);
    const events = journalEvents([[listed('m')], [opened('a')], [noBid('ask', 4000)], mint]);
    const changes = events.map((event) => apply(books, event));
    expect(changes.slice(0, 4)).to.deep.equal([
      [],
      [],
      [
        {
          at: T0,
          levels: [{ priceUnits: 6000, quantity: 5, side: 'ask' }],
          marketId: 'm',
          seq: 3,
          trades: [],
        },
      ],
      [],
    ]);
    const [change] = changes[4] ?? [];
    expect(change).to.deep.include({ at: T0 + 5, levels: [{ priceUnits: 6000, quantity: 3, side: 'ask' }], seq: 5 });
    expect(
      change?.trades.map(({ id, priceUnits, quantity, seq }) => ({ id, priceUnits, quantity, seq })),
    ).to.deep.equal([{ id: 'id-5', priceUnits: 6000, quantity: 2, seq: 5 }]);
  });

  it('show no half of a decision, and the same object until the next event of the market', () => {
    const books = booksAfter([listed('m')], [listed('n')], [noBid('ask', 4000)]);
    const view = books.view('m');
    const [placed, filled] = journalEvents([mint], 4);
    apply(books, placed);
    expect(books.view('m')).to.equal(view);
    apply(books, filled);
    expect(books.view('m')?.asks).to.deep.equal([{ orders: 1, priceUnits: 6000, quantity: 3 }]);
    const other = books.view('n');
    expect(books.seq).to.equal(5);
    expect(books.view('n')).to.equal(other);
  });

  it('are empty of a market that has ended, and do not have one that was never listed', () => {
    const books = booksAfter([listed('m')], [settled]);
    expect(books.isLive('m')).to.equal(false);
    expect(books.view('m')).to.deep.equal({ asks: [], bids: [], lastTradeUnits: null, marketId: 'm', seq: 2 });
    expect(books.view('n')).to.equal(null);
  });

  it('have every level, more than an answer shows', () => {
    const orders = Array.from({ length: BOOK_DEPTH + 50 }, (_, index) => [yesBid(`o${index}`, 1000 + index)]);
    const bids = booksAfter([listed('m')], ...orders).view('m')?.bids ?? [];
    expect(bids).to.have.length(BOOK_DEPTH + 50);
    expect([bids[0]?.priceUnits, bids.at(-1)?.priceUnits]).to.deep.equal([1000 + BOOK_DEPTH + 49, 1000]);
  });

  it('take no event twice, none too early, and none of a market that is not live', () => {
    const books = booksAfter([listed('m')], [settled]);
    const [again] = journalEvents([[listed('n')]], 2);
    const [early] = journalEvents([[listed('n')]], 4);
    const [late] = journalEvents([[yesBid('o', 5000)]], 3);
    expect(() => apply(books, again)).to.throw(RangeError, 'event 2 follows 2');
    expect(() => apply(books, early)).to.throw(RangeError, 'event 4 follows 2');
    expect(() => books.apply({ ...late, decisionEvents: null } as never)).to.throw(RangeError, 'begins no decision');
    expect(() => apply(books, late)).to.throw(RangeError, 'event 3: no live market m');
  });
});
