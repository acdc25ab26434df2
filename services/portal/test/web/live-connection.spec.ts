import { FakeClock, turn, until } from '@paper/testkit';
import { expect } from 'chai';
import { LiveConnection, NOTHING } from '../../web/live/live-connection.ts';
import type { Followed, Topic, TopicEvent } from '../../web/live/live-connection.ts';
import type { LiveState } from '../../web/live/live-state.ts';
import { FakeService } from './fake-service.ts';

const URL = '/portal/live/stream';

describe('the live connection', () => {
  let clock: FakeClock;
  let service: FakeService;
  let events: (readonly [Topic, TopicEvent])[];
  let states: (readonly [Topic, LiveState])[];
  let begins: (readonly [Topic, boolean])[];
  let connection: LiveConnection;

  beforeEach(() => {
    clock = new FakeClock();
    service = new FakeService();
    [events, states, begins] = [[], [], []];
    connection = new LiveConnection({
      timer: clock,
      fetch: service.fetch,
      onEvent: (topic, event) => events.push([topic, event]),
      onState: (topic, state) => states.push([topic, state]),
      onBegin: (topic, isResumed) => begins.push([topic, isResumed]),
    });
  });
  afterEach(() => connection.follow(NOTHING));

  const follow = async (followed: Partial<Followed>): Promise<void> => {
    const before = service.requests.length;
    connection.follow({ ...NOTHING, ...followed });
    await until('a connection', () => service.requests.length > before);
    await turn();
  };
  const send = async (...lines: readonly string[]): Promise<void> => {
    service.send(URL, `${lines.join('\n')}\n\n`);
    await turn();
  };
  const began = (topic: Topic, seq = 5) => send('event: began', `data: ${JSON.stringify({ topic, seq })}`);
  const ended = (topic: Topic, status: number, error: string, retryAfterMs: number | null = null) =>
    send('event: ended', `data: ${JSON.stringify({ topic, status, code: 'x', error, retryAfterMs })}`);
  const requested = (count: number) => until(`request ${count}`, () => service.requests.length === count);
  const positions = (): readonly (string | null)[] => service.requests.map(({ lastEventId }) => lastEventId);
  const kinds = (...topics: readonly Topic[]) => topics.map((topic) => connection.stateOf(topic).kind);

  it('is one for all streams, and gives the events of each, also where one comes in pieces', async () => {
    await follow({ marketIds: ['a', 'b'], bookIds: ['a'], accountId: 'me' });
    expect(service.open).to.deep.equal([`${URL}?marketIds=a%2Cb&bookIds=a&account=me`]);
    for (const topic of ['pulse', 'book:a', 'account']) await began(topic);
    expect(kinds('pulse', 'book:a', 'account')).to.deep.equal(['live', 'live', 'live']);
    service.send(URL, 'event: book:a delta\nid: 7\nda');
    await send('ta: {"a":1}', '', ': a comment', '', 'event: pulse message', 'data: 2');
    expect(events).to.deep.equal([
      ['book:a', { type: 'delta', data: { a: 1 } }],
      ['pulse', { type: 'message', data: 2 }],
    ]);
  });

  it('goes on with each stream after its own last event when others are followed too', async () => {
    await follow({ bookIds: ['a'], accountId: 'me' });
    await began('book:a');
    await began('account', 12);
    await send('event: book:a delta', 'id: 7', 'data: {}');
    await follow({ bookIds: ['a', 'b'], accountId: 'me' });
    expect(service.open).to.deep.equal([`${URL}?bookIds=a%2Cb&account=me`]);
    // Nothing of the account is missed either, though it had no event yet.
    expect(positions()).to.deep.equal([null, 'book:a=7 account=12']);
    await began('account', 13);
    await began('book:b');
    expect(begins).to.deep.equal([
      ['book:a', false],
      ['account', false],
      ['account', true],
      ['book:b', false],
    ]);
  });

  it('stays as it is where the same is followed, and ends where nothing is', async () => {
    await follow({ marketIds: ['a'] });
    connection.follow({ ...NOTHING, marketIds: ['a'] });
    await turn();
    expect(service.requests).to.have.length(1);
    connection.follow(NOTHING);
    await turn();
    expect(service.open).to.deep.equal([]);
    expect(clock.waiting).to.equal(0);
  });

  it('begins anew with the account of another person', async () => {
    await follow({ accountId: 'me' });
    await began('account', 12);
    await follow({ accountId: 'someone-else' });
    expect(positions()).to.deep.equal([null, null]);
  });

  it('goes on after the last events when it ends, and says so meanwhile', async () => {
    await follow({ bookIds: ['a'] });
    await began('book:a');
    await send('event: book:a delta', 'id: 7', 'data: {}');
    service.cut(URL);
    await until('reconnecting', () => connection.stateOf('book:a').kind === 'reconnecting');
    expect(connection.stateOf('book:a').message).to.equal('The service ended the connection.');
    clock.advance(1_000);
    await requested(2);
    expect(positions()).to.deep.equal([null, 'book:a=7']);
  });

  it('waits longer after each failure, up to 15 s, and connects at once when the network is back', async () => {
    service.isAway = true;
    await follow({ marketIds: ['a'] });
    for (const [index, pauseMs] of [1_000, 2_000, 4_000, 8_000, 15_000, 15_000].entries()) {
      await until('failure', () => states.filter(([, { kind }]) => kind === 'reconnecting').length === index + 1);
      clock.advance(pauseMs - 1);
      await turn();
      expect(service.requests).to.have.length(index + 1);
      clock.advance(1);
      await requested(index + 2);
    }
    service.isAway = false;
    connection.retryNow();
    await turn();
    await began('pulse');
    expect(kinds('pulse')).to.deep.equal(['live']);
  });

  it("shows the service's own words, and waits for as long as it asks", async () => {
    service.refusal = { status: 503, error: 'Too many are watching; try again later', code: 'x', retryAfter: 10 };
    await follow({ marketIds: ['a'] });
    await until('refused', () => connection.stateOf('pulse').kind === 'reconnecting');
    expect(connection.stateOf('pulse').message).to.equal(service.refusal.error);
    clock.advance(9_999);
    await turn();
    expect(service.requests).to.have.length(1);
    clock.advance(1);
    await requested(2);
  });

  it('tries a stream that ended again, while the others go on', async () => {
    await follow({ marketIds: ['a'], bookIds: ['gone'] });
    await began('pulse');
    await ended('book:gone', 404, 'No market has the id gone');
    expect(kinds('pulse', 'book:gone')).to.deep.equal(['live', 'reconnecting']);
    expect(connection.stateOf('book:gone').message).to.equal('No market has the id gone');
    clock.advance(7_000);
    await send('event: pulse message', 'data: 1');
    expect(service.requests).to.have.length(1);
    // What the service refuses is asked again after 30 s.
    for (let ms = 0; ms < 23_000; ms += 1_000) {
      clock.advance(1_000);
      await send(':');
    }
    await requested(2);
    expect(service.open).to.have.length(1);
  });

  it('waits for a stream that was refused as long as before when the whole connection ends', async () => {
    await follow({ bookIds: ['gone'] });
    await ended('book:gone', 404, 'No market has the id gone');
    service.cut(URL);
    await turn();
    clock.advance(29_999);
    await turn();
    expect(service.requests).to.have.length(1);
    clock.advance(1);
    await requested(2);
  });

  it('begins a stream anew where the service cannot go on after its last event', async () => {
    await follow({ accountId: 'me' });
    await began('account', 12);
    service.cut(URL);
    await until('reconnecting', () => connection.stateOf('account').kind === 'reconnecting');
    clock.advance(1_000);
    await requested(2);
    await turn();
    await ended('account', 400, 'Last-Event-ID is later than the journal');
    clock.advance(0);
    await requested(3);
    await turn();
    await began('account', 3);
    expect(positions()).to.deep.equal([null, 'account=12', null]);
    expect(begins).to.deep.equal([
      ['account', false],
      ['account', false],
    ]);
  });

  for (const [what, followed, topic, silentMs] of [
    ['prices', { marketIds: ['a'] }, 'pulse', 8_000],
    ['a book', { bookIds: ['a'] }, 'book:a', 40_000],
  ] as const) {
    it(`takes a connection with ${what} for dead that is silent for ${silentMs / 1_000} s`, async () => {
      await follow(followed);
      await began(topic);
      // The first event sets the time for what is live by then.
      await send(':');
      clock.advance(silentMs - 1);
      await turn();
      expect(kinds(topic)).to.deep.equal(['live']);
      clock.advance(1);
      expect(connection.stateOf(topic)).to.deep.equal({ kind: 'reconnecting', message: 'The connection is silent.' });
      expect(service.open).to.deep.equal([]);
      clock.advance(1_000);
      await requested(2);
    });
  }

  it('does nothing more once it follows nothing', async () => {
    await follow({ marketIds: ['a'] });
    await began('pulse');
    connection.follow(NOTHING);
    await turn();
    expect(service.open).to.deep.equal([]);
    expect(clock.waiting).to.equal(0);
  });
});
