import { scaledMs } from '@paper/testkit';
import { expect } from 'chai';
import { createClient, LiveOrderBook, NotAuthenticated, PublicClient, Unreachable } from '../src/index.ts';
import { cut, events, json, scriptedServer, silence } from './scripted-server.ts';

/** A client with a stream that takes a moment's silence for a dead connection. */
class ImpatientClient extends PublicClient {
  watchCash() {
    const kind = { name: 'GET /', path: '/', resumes: true, silentMs: scaledMs(200), isWhole: () => false };
    return this.watch({ ...kind, toItem: (_message, seq: number) => ({ seq }) }, {});
  }
}

const AT_ONCE = { 'retry-after': '0' };

describe('streams of the client', () => {
  const server = scriptedServer();

  const client = () => createClient({ baseUrl: server.baseUrl, key: 'k' });
  const cash = (seq: number, id: number | null = seq) =>
    `${id === null ? '' : `id: ${id}\n`}data: ${JSON.stringify({ type: 'cash', seq, accountId: 'a', cash: seq / 10 })}`;
  const take = async <T>(stream: AsyncIterable<T>, count: number): Promise<T[]> => {
    const found: T[] = [];
    for await (const item of stream) if (found.push(item) === count) break;
    return found;
  };
  const lastIds = () => server.seen.map(({ headers }) => headers['last-event-id']);

  it('resumes after the last event, and says so on the first item', async () => {
    server.script = [events(4, [cash(5), cash(6)], 'cut'), events(9, [cash(9), cash(12)], 'stay')];
    const found = await take(client().watchAccount(), 4);
    expect(found.map(({ resumed, seq }) => [seq, resumed])).to.deep.equal([
      [5, false],
      [6, false],
      [9, true],
      [12, false],
    ]);
    expect(lastIds()).to.deep.equal([undefined, '6']);
    expect(server.seen[0]?.headers).to.include({ authorization: 'Bearer k', accept: 'text/event-stream' });
  });

  it('a cut between two messages of one sequence gives neither of them twice', async () => {
    server.script = [events(4, [cash(5), cash(6, null)], 'end'), events(6, [cash(6, null), cash(6), cash(7)])];
    const found = await take(client().watchAccount(), 4);
    expect(found.map(({ seq }) => seq)).to.deep.equal([5, 6, 6, 7]);
    expect(lastIds()).to.deep.equal([undefined, '5']);
  });

  it('what the service sends again is not given again', async () => {
    server.script = [events(4, [cash(5), cash(6)], 'cut'), events(6, [cash(5), cash(6), cash(7)])];
    expect((await take(client().watchAccount(), 3)).map(({ seq }) => seq)).to.deep.equal([5, 6, 7]);
  });

  it('cut before its first event, it goes on from where it began', async () => {
    server.script = [events(41, [], 'cut'), events(50, [cash(43)])];
    expect((await take(client().watchAccount(), 1)).map(({ seq, resumed }) => [seq, resumed])).to.deep.equal([
      [43, true],
    ]);
    expect(lastIds()).to.deep.equal([undefined, '41']);
  });

  it('open() connects at once; `after` resumes from a sequence of the caller', async () => {
    server.script = [events(4, []), events(8, [cash(8)])];
    expect(await client().watchAccount().open()).to.equal(4);
    await take(client().watchAccount({ fleet: true }, { after: 7 }), 1);
    expect(server.seen[1]).to.include({ request: 'GET /api/stream/account?fleet=true' });
    expect(lastIds()).to.deep.equal([undefined, '7']);
  });

  it('a silent connection is dead', async () => {
    const watch = new ImpatientClient({ baseUrl: server.baseUrl, key: 'k' }).watchCash();
    server.script = [events(4, [cash(5)]), silence, events(6, [cash(6)])];
    expect((await take(watch, 2)).map(({ seq }) => seq)).to.deep.equal([5, 6]);
    expect(lastIds()).to.deep.equal([undefined, '5', '5']);
  });

  it('waits where the service cannot serve it, and throws what is final', async () => {
    server.script = [
      json(503, { error: 'later', code: 'unavailable' }, AT_ONCE),
      cut,
      json(429, { error: 'too many', code: 'rate_limited' }, AT_ONCE),
      events(4, [cash(5)], 'end'),
      json(401, { error: 'Not authenticated', code: 'not_authenticated' }),
    ];
    const watch = client().watchAccount();
    expect(await watch.next()).to.have.nested.property('value.resumed', false);
    const error: unknown = await watch.next().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(NotAuthenticated);
    expect(await watch.next()).to.deep.equal({ done: true, value: undefined });
  });

  it('gives up after retryForMs where that is given', async () => {
    server.script = [cut];
    const error: unknown = await client()
      .watchAccount({}, { retryForMs: 0 })
      .next()
      .catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error).and.not.instanceOf(Unreachable);
  });

  it('ends when it is left, closed, or its signal aborts', async () => {
    const ending = new AbortController();
    server.script = [events(4, [cash(5)]), events(4, [])];
    const watch = client().watchAccount({}, { signal: ending.signal });
    const found: number[] = [];
    for await (const { seq } of watch) {
      found.push(seq);
      ending.abort();
    }
    expect(found).to.deep.equal([5]);
    const waiting = client().watchAccount();
    const item = waiting.next();
    await waiting.return();
    expect(await item).to.deep.equal({ done: true, value: undefined });
  });

  it('a pulse of the same sequence is no double: each is a whole picture', async () => {
    const pulse = `id: 5\ndata: ${JSON.stringify({ ts: 't', markets: [] })}`;
    server.script = [events(5, [pulse, pulse], 'cut'), events(5, [pulse])];
    const found = await take(client().watchPulse({ marketIds: ['a', 'b'] }), 3);
    expect(found.map(({ resumed, seq }) => [seq, resumed])).to.deep.equal([
      [5, false],
      [5, false],
      [5, true],
    ]);
    expect(server.seen[0]?.request).to.equal('GET /api/stream?marketIds=a%2Cb');
    expect(lastIds()).to.deep.equal([undefined, undefined]);
  });

  it('a book follows its deltas, also through a new snapshot', async () => {
    const level = (price: number, quantity: number) => ({ price, quantity, orders: 1 });
    const snapshot = (seq: number, bids: object[], asks: object[]) =>
      `event: snapshot\nid: ${seq}\ndata: ${JSON.stringify({ marketId: 'm', seq, yes: { bids, asks } })}`;
    const delta = (seq: number, side: string, price: number, quantity: number, id: number | null = seq) =>
      `event: delta\n${id === null ? '' : `id: ${id}\n`}data: ${JSON.stringify({ seq, side, price, quantity })}`;
    server.script = [
      events(
        4,
        [
          snapshot(4, [level(0.4, 1), level(0.3, 2)], []),
          delta(6, 'bid', 0.4, 0, null),
          delta(6, 'ask', 0.6, 3, null),
          // A trade names its own event, within the decision.
          `event: trade\nid: 6\ndata: ${JSON.stringify({ id: 't', seq: 5 })}`,
          delta(7, 'bid', 0.5, 9, null),
        ],
        'cut',
      ),
      events(9, [snapshot(9, [level(0.2, 7)], [level(0.7, 1)])]),
    ];
    const book = new LiveOrderBook();
    const watch = client().watchOrderBook('m');
    for (const event of await take(watch, 4)) book.apply(event);
    expect([book.seq, book.bids, book.asks]).to.deep.equal([
      6,
      [{ price: 0.3, quantity: 2 }],
      [{ price: 0.6, quantity: 3 }],
    ]);
    const again = client().watchOrderBook('m', { after: 6 });
    for await (const event of again) {
      book.apply(event);
      break;
    }
    expect([book.seq, book.bids, book.asks]).to.deep.equal([
      9,
      [{ price: 0.2, quantity: 7 }],
      [{ price: 0.7, quantity: 1 }],
    ]);
  });
});
