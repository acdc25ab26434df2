import { FakeClock, turn, until } from '@paper/testkit';
import { expect } from 'chai';
import { LiveStream } from '../../web/live/live-stream.ts';
import type { LiveState } from '../../web/live/live-state.ts';
import type { StreamEvent } from '../../web/live/live-stream.ts';
import { FakeService } from './fake-service.ts';

const URL = '/api/stream';

describe('a live stream', () => {
  let clock: FakeClock;
  let service: FakeService;
  let events: StreamEvent[];
  let states: LiveState[];
  let begins: boolean[];
  let stream: LiveStream;

  beforeEach(() => {
    clock = new FakeClock();
    service = new FakeService();
    [events, states, begins] = [[], [], []];
  });
  afterEach(() => stream.close());

  const connect = (): void => {
    stream = new LiveStream({
      url: URL,
      silentMs: 8_000,
      timer: clock,
      fetch: service.fetch,
      onEvent: (event) => events.push(event),
      onState: (state) => states.push(state),
      onBegin: (isResumed) => begins.push(isResumed),
    });
  };
  const isLive = () => states.at(-1)?.kind === 'live';
  const requested = (count: number) => until(`request ${count}`, () => service.requests.length === count);

  it('gives events with their type, also where one comes in pieces', async () => {
    connect();
    await until('live', isLive);
    service.send(URL, 'event: delta\nid: 7\nda');
    service.send(URL, 'ta: {"a":1}\n\n: a comment\n\ndata: 2\n\n');
    await until('events', () => events.length === 2);
    expect(events).to.deep.equal([
      { type: 'delta', data: { a: 1 } },
      { type: 'message', data: 2 },
    ]);
    expect(states.map(({ kind }) => kind)).to.deep.equal(['connecting', 'live']);
    expect(begins).to.deep.equal([false]);
  });

  it('goes on after the last event when the connection ends, and says so meanwhile', async () => {
    connect();
    await until('live', isLive);
    service.send(URL, 'id: 7\ndata: 1\n\n');
    await until('event', () => events.length === 1);
    service.cut(URL);
    await until('reconnecting', () => states.at(-1)?.kind === 'reconnecting');
    expect(states.at(-1)?.message).to.equal('The service ended the connection.');
    clock.advance(1_000);
    await until('live', isLive);
    expect(service.requests.map(({ lastEventId }) => lastEventId)).to.deep.equal([null, '7']);
    expect(begins).to.deep.equal([false, true]);
  });

  it('waits longer after each failure, up to 15 s, and connects at once when the network is back', async () => {
    service.isAway = true;
    connect();
    for (const [index, pauseMs] of [1_000, 2_000, 4_000, 8_000, 15_000, 15_000].entries()) {
      await until('failure', () => states.filter(({ kind }) => kind === 'reconnecting').length === index + 1);
      clock.advance(pauseMs - 1);
      await turn();
      expect(service.requests).to.have.length(index + 1);
      clock.advance(1);
      await requested(index + 2);
    }
    service.isAway = false;
    stream.retryNow();
    await until('live', isLive);
  });

  it("shows the service's own words, and waits for as long as it asks", async () => {
    service.refusal = {
      status: 503,
      error: 'Too many are watching; try again later',
      code: 'unavailable',
      retryAfter: 10,
    };
    connect();
    await until('refused', () => states.length === 2);
    expect(states.at(-1)).to.deep.equal({ kind: 'reconnecting', message: service.refusal.error });
    clock.advance(9_999);
    await turn();
    expect(service.requests).to.have.length(1);
    clock.advance(1);
    await requested(2);
  });

  it('begins anew where the service cannot go on after the last event', async () => {
    connect();
    await until('live', isLive);
    service.send(URL, 'id: 7\ndata: 1\n\n');
    await until('event', () => events.length === 1);
    service.refusal = { status: 400, error: 'Last-Event-ID is later than the journal', code: 'validation_failed' };
    service.cut(URL);
    await until('reconnecting', () => states.at(-1)?.kind === 'reconnecting');
    clock.advance(1_000);
    await until('refused', () => states.at(-1)?.message === 'Last-Event-ID is later than the journal');
    service.refusal = null;
    clock.advance(0);
    await until('live', isLive);
    expect(begins).to.deep.equal([false, false]);
  });

  it('takes a connection for dead that is silent for too long', async () => {
    connect();
    await until('live', isLive);
    clock.advance(8_000);
    expect(states.at(-1)).to.deep.equal({ kind: 'reconnecting', message: 'The connection is silent.' });
    expect(service.open).to.deep.equal([]);
    clock.advance(1_000);
    await requested(2);
  });

  it('does nothing more once it is closed', async () => {
    connect();
    await until('live', isLive);
    stream.close();
    await turn();
    expect(service.open).to.deep.equal([]);
    expect(clock.waiting).to.equal(0);
    expect(states.at(-1)?.kind).to.equal('live');
  });
});
