import type { PulseEntryBody } from '@paper/contracts/markets';
import { FakeClock, turn, until } from '@paper/testkit';
import { expect } from 'chai';
import type { BookStreamEvent, LiveBookView } from '../../web/live/live-book.ts';
import { LiveHub } from '../../web/live/live-hub.ts';
import type { LiveState } from '../../web/live/live-state.ts';
import { FakeLocks } from './fake-locks.ts';
import { FakeService } from './fake-service.ts';

const entry = (id: string, seq: number): PulseEntryBody => ({
  id,
  probability: 0.5,
  bestYesBid: null,
  bestYesAsk: null,
  lastTradePrice: null,
  volume: seq,
  status: 'active',
  seq,
});

const URL = '/portal/live/stream';
const ignore = (): void => undefined;

describe('the live data of a tab', () => {
  let clock: FakeClock;
  let service: FakeService;
  let locks: FakeLocks;

  beforeEach(() => {
    clock = new FakeClock();
    service = new FakeService();
    locks = new FakeLocks();
  });

  const openTab = (): LiveHub => {
    const hub = new LiveHub({ locks, timer: clock, fetch: service.fetch });
    hub.activate();
    return hub;
  };
  /** Lets the connections follow what parts of the pages watch. */
  const settle = async (): Promise<void> => {
    clock.advance(250);
    for (let turns = 0; turns < 5; turns += 1) await turn();
  };
  const prices = (hub: LiveHub, marketIds: readonly string[]) => {
    const seen = { seqs: new Map<string, number>(), states: [] as LiveState['kind'][] };
    hub.watch({
      follows: { marketIds },
      onState: ({ kind }) => seen.states.push(kind),
      onPulse: (entries) => {
        for (const { id, seq } of entries) if (marketIds.includes(id)) seen.seqs.set(id, seq);
      },
    });
    return seen;
  };
  const pulse = (...entries: readonly PulseEntryBody[]) =>
    service.send(URL, `event: pulse message\ndata: ${JSON.stringify({ ts: '', markets: entries })}\n\n`);
  const send = async (event: string, data: unknown): Promise<void> => {
    service.send(URL, `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    await turn();
  };
  const began = (topic: string) => send('began', { topic, seq: 3 });

  it('comes over one connection, and each part of its page gets the prices that it wants', async () => {
    const hub = openTab();
    const [first, second] = [prices(hub, ['b']), prices(hub, ['a'])];
    await settle();
    expect(service.open).to.deep.equal([`${URL}?marketIds=a%2Cb`]);
    await began('pulse');
    pulse(entry('a', 1), entry('b', 2));
    await until('prices', () => second.seqs.size === 1);
    expect([[...first.seqs], [...second.seqs]]).to.deep.equal([[['b', 2]], [['a', 1]]]);
    expect(second.states).to.deep.equal(['connecting', 'connecting', 'live']);
  });

  it('is shown at once to a part that is opened later, as far as it is known', async () => {
    const hub = openTab();
    const books: (LiveBookView | null)[] = [];
    const watchBook = () =>
      hub.watch({ follows: { bookIds: ['a'] }, onState: ignore, onBook: (book) => void books.push(book) });
    prices(hub, ['a']);
    watchBook();
    await settle();
    await began('pulse');
    pulse(entry('a', 7));
    const snapshot = { marketId: 'a', seq: 5, yes: { bids: [{ price: 0.4, quantity: 3 }], asks: [] } };
    await send('book:a snapshot', snapshot);
    clock.advance(100);
    const late = prices(hub, ['a']);
    expect([late.seqs.get('a'), late.states]).to.deep.equal([7, ['live']]);
    watchBook();
    expect(books).to.deep.equal([books[0], books[0]]);
    expect(books[0]).to.deep.equal({ marketId: 'a', seq: 5, bids: snapshot.yes.bids, asks: [] });
  });

  it('gives the events of a book together with the book after them', async () => {
    const hub = openTab();
    const seen: [number | undefined, readonly BookStreamEvent['type'][]][] = [];
    hub.watch({
      follows: { bookIds: ['a'] },
      onState: ignore,
      onBook: (book, events) => seen.push([book?.seq, events.map(({ type }) => type)]),
    });
    await settle();
    await send('book:a snapshot', { marketId: 'a', seq: 5, yes: { bids: [], asks: [] } });
    await send('book:a delta', { marketId: 'a', seq: 6, side: 'bid', price: 0.4, quantity: 3 });
    await send('book:a trade', { id: 't' });
    expect(seen).to.deep.equal([]);
    clock.advance(100);
    expect(seen).to.deep.equal([[6, ['snapshot', 'delta', 'trade']]]);
  });

  it('has a connection in each tab that can be seen, and none in one that is hidden', async () => {
    const [first, second] = [openTab(), openTab()];
    for (const hub of [first, second]) prices(hub, ['a']);
    await settle();
    expect(service.open).to.have.length(2);
    first.deactivate();
    await settle();
    expect(service.open).to.deep.equal([`${URL}?marketIds=a`]);
    first.activate();
    await settle();
    expect(service.open).to.have.length(2);
    for (const hub of [first, second]) hub.deactivate();
    expect([service.open, clock.waiting]).to.deep.equal([[], 0]);
  });

  it('has no connection, and keeps none from others, where nothing is watched', async () => {
    const hub = openTab();
    const stop = hub.watch({ follows: { bookIds: ['a'] }, onState: ignore });
    await settle();
    expect(locks.held).to.have.length(1);
    stop();
    await settle();
    expect([service.open, locks.held]).to.deep.equal([[], []]);
  });

  it('comes to each of seven tabs over four connections in turns, which go on where they ended', async () => {
    const tabs = Array.from({ length: 7 }, openTab);
    const seen = tabs.map((hub) => {
      const states: LiveState['kind'][] = [];
      hub.watch({ follows: { bookIds: ['a'] }, onState: ({ kind }) => void states.push(kind) });
      return states;
    });
    await settle();
    for (let turns = 0; turns < 4; turns += 1) {
      expect(service.open).to.have.length(4);
      service.sendAll(`event: began\ndata: {"topic":"book:a","seq":3}\n\nid: 3\nevent: book:a trade\ndata: {}\n\n`);
      await turn();
      clock.advance(2_000);
      await settle();
    }
    for (const states of seen) expect(states).to.include('live').and.not.include('reconnecting');
    const positions = service.requests.map(({ lastEventId }) => lastEventId);
    const resumed = positions.filter((position) => position !== null);
    expect(positions).to.have.length(resumed.length + 7);
    expect(new Set(resumed)).to.deep.equal(new Set(['book:a=3']));
  });

  it('reports events of the account of the person who is signed in, and of no other', async () => {
    const hub = openTab();
    let reports = 0;
    const stop = hub.watch({
      follows: { accountId: 'me' },
      onState: ignore,
      onAccount: () => {
        reports += 1;
      },
    });
    await settle();
    expect(service.open).to.deep.equal([`${URL}?account=me`]);
    await began('account');
    clock.advance(100);
    expect(reports, 'the first connection began after the page had read').to.equal(1);
    const cash = { type: 'cash', seq: 4, accountId: 'me', cash: 3 } as const;
    await send('account message', { ...cash, accountId: 'someone-else' });
    clock.advance(100);
    expect(reports, "another person's event").to.equal(1);
    await send('account message', cash);
    clock.advance(100);
    expect(reports).to.equal(2);
    hub.deactivate();
    hub.activate();
    expect(reports, 'events were missed meanwhile').to.equal(3);
    stop();
    await settle();
    expect(service.open).to.deep.equal([]);
  });
});
