import { expect } from 'chai';
import { describeSharedExchange } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { createCheckedClient, eventBlocks, operatorClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';

interface Message {
  /** Null where another message of the sequence follows. */
  readonly id: number | null;
  readonly data: {
    readonly type: 'order' | 'fill' | 'cash';
    readonly seq: number;
    readonly cash?: number;
    readonly order: { readonly id: string; readonly status: string; readonly filledQty: number } | null;
    readonly fill?: { readonly id: string; readonly orderId: string; readonly role: string; readonly quantity: number };
    readonly reason?: string | null;
  };
}

interface Order {
  readonly id: string;
}

/** Trades between a stream and its resumption. */
const MISSED_TRADES = 15;

/** Reads a stream as a bot does: message by message. */
async function listen(url: string, key: string, lastEventId?: number) {
  const answer = await fetch(url, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
    },
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  const blocks = eventBlocks(answer);
  const preamble = /^retry: 2000\nid: (\d+)$/.exec((await blocks.next()) ?? '');
  return {
    answer,
    /** The sequence at which the stream begins. */
    from: Number(preamble?.[1]),
    /** Null at the clean end of the stream. */
    async next(): Promise<Message | null> {
      const found = await blocks.next();
      if (found === null) return null;
      if (found.startsWith(':')) return this.next();
      const [, id, data] = /^(?:id: (\d+)\n)?data: (.*)$/.exec(found) ?? [];
      if (data === undefined) throw new Error(`not a message: ${found}`);
      return { id: id === undefined ? null : Number(id), data: JSON.parse(data) as Message['data'] };
    },
    leave: blocks.leave,
  };
}

describeSharedExchange('accounts that listen', function (start) {
  this.timeout(60_000);
  let service: RunningExchange;
  let client: CheckedClient;
  let ann: string;
  let ben: string;
  let openAccount: (displayName: string) => Promise<string>;

  before(async () => {
    service = await start();
    client = await createCheckedClient(service.baseUrl);
    const asOperator = operatorClient(client, service.operatorToken);
    await asOperator.list('first');
    await asOperator.list('second');
    openAccount = async (displayName) => (await asOperator.open(displayName)).key;
    [ann, ben] = [await openAccount('Ann'), await openAccount('Ben')];
  });
  after(async () => {
    await service.stop();
  });

  const stream = (key: string, lastEventId?: number) =>
    listen(`${service.baseUrl}/api/stream/account`, key, lastEventId);
  const place = (key: string, body: object): Promise<Order> =>
    client.ok<Order>('POST', '/api/orders', { key, body: { marketId: 'first', outcome: 'yes', ...body } });

  /** A message in short form. */
  const told = (message: Message | null): readonly unknown[] => {
    if (message === null) return ['end'];
    const { type, seq, order, fill, reason, cash } = message.data;
    if (type === 'cash') {
      expect(message.id).to.equal(null);
      return ['cash', cash];
    }
    expect(seq).to.equal(message.id);
    return type === 'order'
      ? ['order', order?.id, order?.status, order?.filledQty, reason]
      : ['fill', fill?.orderId, fill?.role, fill?.quantity, order?.status ?? null];
  };

  it('get their orders, fills and cancels as they happen, and nothing of other accounts', async () => {
    const [hers, his] = [await stream(ann), await stream(ben)];
    expect(hers.answer.headers.get('content-type')).to.equal('text/event-stream; charset=utf-8');
    expect(hers.answer.headers.get('cache-control')).to.equal('no-store, no-transform');
    expect(Number(hers.answer.headers.get('x-journal-seq'))).to.equal(hers.from);

    const resting = await place(ann, { price: 0.6, quantity: 10 });
    expect(told(await hers.next())).to.deep.equal(['order', resting.id, 'open', 0, null]);
    const taking = await place(ben, { outcome: 'no', price: 0.4, quantity: 4 });
    expect(told(await hers.next())).to.deep.equal(['cash', 9_997.6]);
    expect(told(await hers.next())).to.deep.equal(['fill', resting.id, 'maker', 4, null]);
    expect(told(await his.next())).to.deep.equal(['order', taking.id, 'open', 0, null]);
    expect(told(await his.next())).to.deep.equal(['cash', 9_998.4]);
    expect(told(await his.next())).to.deep.equal(['fill', taking.id, 'taker', 4, 'filled']);
    await client.ok('DELETE', `/api/orders/${resting.id}`, { key: ann });
    expect(told(await hers.next())).to.deep.equal(['order', resting.id, 'cancelled', 4, 'user']);
    const nothing = await place(ben, { price: 0.01, quantity: 1, timeInForce: 'IOC' });
    expect(told(await his.next())).to.deep.equal(['order', nothing.id, 'open', 0, null]);
    expect(told(await his.next())).to.deep.equal(['order', nothing.id, 'cancelled', 0, 'no_liquidity']);
    await Promise.all([hers.leave(), his.leave()]);
  });

  it('resume with exactly the events that they missed, in order, and then new ones', async () => {
    const seen: Message[] = [];
    const hers = await stream(ann);
    const first = await place(ann, { price: 0.3, quantity: 5 });
    const before = await hers.next();
    if (before === null || before.id === null) throw new Error('the stream ended');
    await hers.leave();

    const missed: unknown[][] = [];
    for (let n = 0; n < MISSED_TRADES; n += 1) {
      const order = await place(ann, { marketId: 'second', price: 0.5, quantity: 2 });
      missed.push(['order', order.id, 'open', 0, null]);
      await place(ben, { marketId: 'second', outcome: 'no', price: 0.5, quantity: 2 });
      missed.push(['cash', (99_976 - 10 * (n + 1)) / 10], ['fill', order.id, 'maker', 2, 'filled']);
    }
    await client.ok('DELETE', `/api/orders/${first.id}`, { key: ann });
    missed.push(['order', first.id, 'cancelled', 0, 'user']);

    const again = await stream(ann, before.id);
    expect(again.from).to.equal(before.id);
    while (seen.length < missed.length) {
      const message = await again.next();
      if (message === null) throw new Error('the stream ended');
      seen.push(message);
    }
    expect(seen.map(told)).to.deep.equal(missed);
    const last = await place(ann, { price: 0.2, quantity: 1 });
    expect(told(await again.next())).to.deep.equal(['order', last.id, 'open', 0, null]);
    await again.leave();

    const { body } = await client.request('GET', '/api/fills?marketId=second&limit=500', { key: ann });
    const fills = (body as { readonly id: string }[]).map(({ id }) => id).reverse();
    expect(seen.flatMap(({ data }) => (data.fill === undefined ? [] : [data.fill.id]))).to.deep.equal(fills);
  });

  it('resume repeatedly while they trade, and get every event once', async () => {
    const from = (await stream(ann)).from;
    const ids: string[] = [];
    const trading = (async () => {
      for (let n = 0; n < 30; n += 1) {
        const { id } = await place(ann, { marketId: 'second', price: 0.05, quantity: 1 });
        ids.push(id);
        await client.ok('DELETE', `/api/orders/${id}`, { key: ann });
      }
    })();
    const seen: Message[] = [];
    let last = from;
    while (seen.length < 60) {
      const listener = await stream(ann, last);
      for (let n = 0; n < 7 && seen.length < 60; n += 1) {
        const message = await listener.next();
        if (message === null) throw new Error('the stream ended');
        seen.push(message);
        last = message.id ?? last;
      }
      await listener.leave();
    }
    await trading;
    expect(seen.map(told)).to.deep.equal(
      ids.flatMap((id) => [
        ['order', id, 'open', 0, null],
        ['order', id, 'cancelled', 0, 'user'],
      ]),
    );
  });

  it('page through their fills', async () => {
    const whole = await client.request('GET', '/api/fills', { key: ben });
    const fills = whole.body as { readonly id: string; readonly role: string; readonly notional: number }[];
    expect(fills).to.have.length(1 + MISSED_TRADES);
    expect(new Set(fills.map(({ role }) => role))).to.deep.equal(new Set(['taker']));
    expect(fills.at(-1)?.notional).to.equal(1.6);
    const paged: unknown[] = [];
    for (let path: string | undefined = '/api/fills?limit=5'; path !== undefined;) {
      const page = await client.request('GET', path, { key: ben });
      paged.push(...(page.body as unknown[]));
      path = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(paged).to.deep.equal(fills);
    expect((await client.request('GET', '/api/fills?marketId=none', { key: ben })).body).to.deep.equal([]);
  });

  it('need a key that may view, and a Last-Event-ID that the journal has reached', async () => {
    const refused = async (key?: string, headers: Record<string, string> = {}): Promise<unknown[]> => {
      const answer = await client.request('GET', '/api/stream/account', {
        ...(key === undefined ? {} : { key }),
        headers,
      });
      return [answer.status, (answer.body as { code: string }).code];
    };
    expect(await refused()).to.deep.equal([401, 'not_authenticated']);
    expect(await refused('svc_live_nobody')).to.deep.equal([401, 'not_authenticated']);
    const { subAccount } = await client.ok<{ subAccount: { id: string } }>('POST', '/api/accounts/sub', {
      key: ann,
      body: { displayName: 'Ann two' },
    });
    const { apiKey } = await client.ok<{ apiKey: { rawKey: string } }>(
      'POST',
      `/api/accounts/sub/${subAccount.id}/keys`,
      { key: ann, body: { name: 'books', permissions: ['reconcile'] } },
    );
    expect(await refused(apiKey.rawKey)).to.deep.equal([403, 'forbidden']);
    for (const id of ['999999999999', '-1', 'abc', '1.5', '1e3', '0x1', '9'.repeat(16), '9'.repeat(17)]) {
      expect(await refused(ann, { 'last-event-id': id }), id).to.deep.equal([400, 'validation_failed']);
    }
  });

  it('are cut off when their key is revoked', async () => {
    const { subAccount, apiKey } = await client.ok<{
      subAccount: { id: string };
      apiKey: { id: string; rawKey: string };
    }>('POST', '/api/accounts/sub', { key: ann, body: { displayName: 'Ann three' } });
    expect(subAccount.id).not.to.equal('');
    const listener = await stream(apiKey.rawKey);
    await client.ok('DELETE', `/api/accounts/keys/${apiKey.id}`, { key: ann });
    expect(await listener.next()).to.equal(null);
  });
});
