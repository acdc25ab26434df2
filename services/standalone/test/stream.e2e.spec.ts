import { expect } from 'chai';
import { describeExchange } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { createCheckedClient, eventBlocks, operatorClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';

interface Entry {
  readonly id: string;
  readonly probability: number;
  readonly bestYesBid: number | null;
  readonly bestYesAsk: number | null;
  readonly lastTradePrice: number | null;
  readonly volume: number;
  readonly status: string;
  readonly seq: number;
}

interface Event {
  readonly id: number;
  readonly retry: number | null;
  readonly data: { readonly ts: string; readonly markets: readonly Entry[] };
}

/** Watches as EventSource does: headers first, then one event after the other. */
async function watch(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { headers });
  const blocks = eventBlocks(answer);
  return {
    answer,
    /** Null at the clean end of the stream. */
    async next(): Promise<Event | null> {
      const block = await blocks.next();
      if (block === null) return null;
      const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
      expect([...fields.keys()].filter((name) => !['retry', 'id', 'data'].includes(name))).to.deep.equal([]);
      return {
        id: Number(fields.get('id')),
        retry: fields.has('retry') ? Number(fields.get('retry')) : null,
        data: JSON.parse(fields.get('data') ?? '') as Event['data'],
      };
    },
    leave: blocks.leave,
  };
}

describeExchange('watchers', function (start) {
  this.timeout(60_000);
  let service: RunningExchange;
  let client: CheckedClient;

  before(async () => {
    service = await start();
    client = await createCheckedClient(service.baseUrl);
    const asOperator = operatorClient(client, service.operatorToken);
    await asOperator.list('quiet');
    await asOperator.list('busy');
    // A stream is public and may be behind. An operator's read waits for the projection, so from then on every stream
    // has the markets.
    await client.ok('GET', '/api/operator/markets', { key: service.operatorToken });
  });
  after(async () => {
    await service.stop('SIGKILL');
  });

  const stream = (query = '', headers?: Record<string, string>) =>
    watch(`${service.baseUrl}/api/stream${query}`, headers);

  it('are sent at once, in a form that no proxy buffers', async () => {
    const watcher = await stream();
    const first = await watcher.next();
    expect(watcher.answer.headers.get('content-type')).to.equal('text/event-stream; charset=utf-8');
    expect(watcher.answer.headers.get('cache-control')).to.equal('no-cache, no-transform');
    expect(watcher.answer.headers.get('x-accel-buffering')).to.equal('no');
    expect(watcher.answer.headers.get('content-encoding')).to.equal(null);
    expect(Number(watcher.answer.headers.get('x-journal-seq'))).to.equal(first?.id);
    expect(first?.retry).to.equal(2_000);
    expect(new Date(first?.data.ts ?? '').toISOString()).to.equal(first?.data.ts);
    await watcher.leave();
  });

  it('see a trade in a pulse that shows its sequence, and the most active market first', async () => {
    const [everything, one] = [await stream(), await stream('?marketId=busy', { 'last-event-id': '999999999' })];
    const before = await one.next();
    expect(before?.data.markets).to.deep.equal([
      {
        id: 'busy',
        probability: 0.5,
        bestYesBid: null,
        bestYesAsk: null,
        lastTradePrice: null,
        volume: 0,
        status: 'active',
        seq: before?.data.markets[0]?.seq,
      },
    ]);
    const open = async (displayName: string) =>
      (await operatorClient(client, service.operatorToken).open(displayName)).key;
    const place = async (key: string, body: object): Promise<number> =>
      Number(
        (await client.request('POST', '/api/orders', { key, body: { marketId: 'busy', ...body } })).headers.get(
          'x-journal-seq',
        ),
      );
    const [ann, ben] = [await open('Ann'), await open('Ben')];
    await place(ann, { outcome: 'yes', price: 0.6, quantity: 10 });
    const seq = await place(ben, { outcome: 'no', price: 0.4, quantity: 4 });

    const shown = async (watcher: Awaited<ReturnType<typeof watch>>): Promise<Event> => {
      for (let event = await watcher.next(); event !== null; event = await watcher.next()) {
        // The list of the most active markets is computed every few seconds, the state of a market each time.
        if (event.id >= seq && event.data.markets.some(({ id }) => id === 'busy')) return event;
      }
      throw new Error('the stream ended');
    };
    const entry = {
      id: 'busy',
      probability: 0.6,
      bestYesBid: 0.6,
      bestYesAsk: null,
      lastTradePrice: 0.6,
      volume: 4,
      status: 'active',
      seq,
    };
    expect((await shown(one)).data.markets).to.deep.equal([entry]);
    const all = await shown(everything);
    expect(all.data.markets.map(({ id }) => id)).to.deep.equal(['busy', 'quiet']);
    expect(all.data.markets[0]).to.deep.equal(entry);
    await Promise.all([everything.leave(), one.leave()]);
  });

  it('of a market that does not exist get a 404 before any stream begins', async () => {
    const refused = await client.request('GET', '/api/stream?marketId=nothing');
    expect([refused.status, refused.body]).to.deep.equal([
      404,
      { error: 'No market has the id nothing', code: 'market_not_found' },
    ]);
    const twice = await client.request('GET', '/api/stream?marketId=busy&marketId=quiet');
    expect([twice.status, (twice.body as { code: string }).code]).to.deep.equal([400, 'validation_failed']);
  });

  it('see a clean end when the service stops, which does not wait for them; accounts that listen do, too', async () => {
    const { key } = await operatorClient(client, service.operatorToken).open('Listener');
    const listen = async (headers: Record<string, string> = {}) =>
      eventBlocks(
        await fetch(`${service.baseUrl}/api/stream/account`, {
          headers: { ...headers, authorization: `Bearer ${key}` },
        }),
      );
    const accounts = await Promise.all([listen(), listen({ 'last-event-id': '0' })]);
    const watchers = await Promise.all([stream(), stream(), stream('?marketId=quiet')]);
    for (const watcher of watchers) expect(await watcher.next()).not.to.equal(null);
    const stopped = service.stop('SIGTERM');
    for (const watcher of watchers) {
      let last: Event | null = await watcher.next();
      while (last !== null) last = await watcher.next();
    }
    for (const account of accounts) while ((await account.next()) !== null);
    expect(await stopped).to.equal(0);
    expect(service.output()).not.to.include('stopping failed');
  });
});
