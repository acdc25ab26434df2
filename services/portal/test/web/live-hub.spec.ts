import type { AccountEventBody, PulseEntryBody } from '@paper/contracts';
import { FakeClock, turn, until } from '@paper/testkit';
import { expect } from 'chai';
import { LiveHub } from '../../web/live/live-hub.ts';
import type { Channel, Watcher } from '../../web/live/live-hub.ts';
import type { LiveMessage } from '../../web/live/messages.ts';
import { NO_WANTS } from '../../web/live/stream-plan.ts';
import type { Locks } from '../../web/live/tab-election.ts';
import { FakeService } from './fake-service.ts';

/** The Web Locks of a browser: one name, holders in the order of their requests. */
class FakeLocks implements Locks {
  #queue = Promise.resolve();

  request(_name: string, { signal }: { readonly signal: AbortSignal }, hold: () => Promise<void>): Promise<unknown> {
    const held = this.#queue.then(() => {
      if (signal.aborted) throw new DOMException('aborted', 'AbortError');
      return hold();
    });
    this.#queue = held.catch(() => undefined);
    return held;
  }
}

/** The BroadcastChannel of a browser: messages are copies, and do not come back to their sender. */
class FakeChannel implements Channel {
  onmessage: ((event: { readonly data: LiveMessage }) => void) | null = null;

  constructor(private readonly all: FakeChannel[]) {
    all.push(this);
  }

  postMessage(message: LiveMessage): void {
    for (const other of this.all) if (other !== this) other.onmessage?.({ data: structuredClone(message) });
  }
}

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

describe('the tabs of a browser', () => {
  let clock: FakeClock;
  let service: FakeService;
  let channels: FakeChannel[];
  let locks: FakeLocks;

  beforeEach(() => {
    clock = new FakeClock();
    service = new FakeService();
    channels = [];
    locks = new FakeLocks();
  });

  const openTab = (name: string): LiveHub => {
    const hub = new LiveHub({
      channel: new FakeChannel(channels),
      locks,
      tab: name,
      timer: clock,
      fetch: service.fetch,
    });
    hub.activate();
    return hub;
  };
  /** Lets the connections follow what tabs want. */
  const settle = async (): Promise<void> => {
    await turn();
    clock.advance(250);
    await turn();
  };
  const prices = (hub: LiveHub, marketIds: readonly string[]): Map<string, number> => {
    const seen = new Map<string, number>();
    hub.watch({
      wants: { ...NO_WANTS, marketIds },
      onPulse: (entries) => {
        for (const { id, seq } of entries) if (marketIds.includes(id)) seen.set(id, seq);
      },
    });
    return seen;
  };
  const pulse = (...entries: readonly PulseEntryBody[]) =>
    service.send(URL, `event: pulse message\ndata: ${JSON.stringify({ ts: '', markets: entries })}\n\n`);
  const began = async (topic: string): Promise<void> => {
    service.send(URL, `event: began\ndata: ${JSON.stringify({ topic, seq: 3 })}\n\n`);
    await turn();
  };

  it('share one connection, and each gets the prices that it wants', async () => {
    const [first, second] = [openTab('one'), openTab('two')];
    const [ofFirst, ofSecond] = [prices(first, ['a']), prices(second, ['b'])];
    await settle();
    expect(service.open).to.deep.equal([`${URL}?marketIds=a%2Cb`]);
    await began('pulse');
    pulse(entry('a', 1), entry('b', 2));
    await until('prices', () => ofSecond.size === 1);
    expect([[...ofFirst], [...ofSecond]]).to.deep.equal([[['a', 1]], [['b', 2]]]);
    expect([first.leads, second.leads]).to.deep.equal([true, false]);
    expect(second.states.pulse.kind).to.equal('live');
  });

  it('show a tab that is opened later what is known already', async () => {
    prices(openTab('one'), ['a']);
    await settle();
    pulse(entry('a', 7));
    await turn();
    const late = prices(openTab('two'), ['a']);
    expect(late.get('a')).to.equal(7);
  });

  it('go on with another tab when the one with the connection is closed', async () => {
    const [first, second] = [openTab('one'), openTab('two')];
    prices(first, ['a']);
    const ofSecond = prices(second, ['b']);
    await settle();
    first.deactivate();
    await settle();
    expect(second.leads).to.equal(true);
    expect(service.open).to.deep.equal([`${URL}?marketIds=b`]);
    pulse(entry('b', 3));
    await until('prices', () => ofSecond.get('b') === 3);
  });

  it('forget what a tab wanted that crashed', async () => {
    const leader = openTab('one');
    prices(leader, ['a']);
    await settle();
    const crashed = new FakeChannel(channels);
    crashed.postMessage({ kind: 'wants', tab: 'crashed', wants: { ...NO_WANTS, bookIds: ['b'] } });
    await settle();
    expect(service.open).to.deep.equal([`${URL}?marketIds=a&bookIds=b`]);
    clock.advance(30_000);
    await settle();
    expect(service.open).to.deep.equal([`${URL}?marketIds=a`]);
    expect(leader.leads).to.equal(true);
  });

  it('have no connection while all are hidden, and again once one is seen', async () => {
    const hub = openTab('one');
    prices(hub, ['a']);
    await settle();
    hub.deactivate();
    await settle();
    expect(service.open).to.deep.equal([]);
    hub.activate();
    await settle();
    expect(service.open).to.deep.equal([`${URL}?marketIds=a`]);
  });

  it('close the stream of an account in every tab when the person signs out', async () => {
    const [first, second] = [openTab('one'), openTab('two')];
    const wants = { ...NO_WANTS, accountId: 'me' };
    const seen: AccountEventBody[] = [];
    const gaps: boolean[] = [];
    const watcher: Watcher = {
      wants,
      onAccount: (events, isGap) => {
        seen.push(...events);
        gaps.push(isGap);
      },
    };
    const stops = [first.watch({ wants }), second.watch(watcher)];
    await settle();
    expect(service.open).to.deep.equal([`${URL}?account=me`]);
    await began('account');
    clock.advance(100);
    const cash = { type: 'cash', seq: 4, accountId: 'me', cash: 3 } as const;
    const ofOther = { ...cash, accountId: 'someone-else' };
    for (const data of [ofOther, cash].map((event) => JSON.stringify(event))) {
      service.send(URL, `event: account message\ndata: ${data}\n\n`);
    }
    await turn();
    clock.advance(100);
    expect(seen).to.deep.equal([cash]);
    // The first connection began after the page had read.
    expect(gaps).to.deep.equal([true, false]);
    for (const stop of stops) stop();
    await settle();
    expect(service.open).to.deep.equal([]);
  });

  it('each serve themselves where the browser offers no locks', async () => {
    const solo = (tab: string) => new LiveHub({ channel: null, locks: null, tab, timer: clock, fetch: service.fetch });
    const hubs = [solo('one'), solo('two')];
    for (const hub of hubs) {
      hub.activate();
      prices(hub, ['a']);
    }
    await settle();
    expect(service.open).to.have.length(2);
  });
});
