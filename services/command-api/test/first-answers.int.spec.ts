import { Unavailable } from '@paper/contracts';
import { FakeClock } from '@paper/testkit';
import { expect } from 'chai';
import { listing } from './http-harness.ts';
import type { Reply } from './http-harness.ts';
import { order, TradingFloor } from './trading-floor.ts';

/** A request of a floor, with an Idempotency-Key where one is given. */
type Request = (floor: TradingFloor, idempotencyKey?: string) => Promise<Reply>;

const operate =
  (path: string, body?: unknown): Request =>
  (floor, key) =>
    floor.harness.operate('POST', `/api/operator/${path}`, body, key);
const byAda =
  (method: string, path: (floor: TradingFloor) => string, body?: unknown): Request =>
  (floor, key) =>
    floor.send(method, path(floor), floor.ada, body, key);
const byBob =
  (more: Readonly<Record<string, unknown>>): Request =>
  (floor) =>
    floor.send('POST', '/api/orders', floor.bob, order(more));

const to = (transition: 'activate' | 'close' | 'pause', id = 'm') => operate(`markets/${id}/${transition}`);
const resolve = operate('markets/m/resolve', { outcome: 'yes' });
const amend: Request = (floor, key) =>
  floor.harness.operate(
    'PATCH',
    '/api/operator/markets/m',
    {
      citationUrl: 'https://example.org/',
      closesAt: '2098-01-01T00:00:00Z',
      description: 'Another',
      title: 'Will it?',
    },
    key,
  );
const amendTo =
  (id: string): Request =>
  (floor) =>
    floor.harness.operate('PATCH', `/api/operator/markets/${id}`, { closesAt: '2097-01-01T00:00:00Z', title: 'Not?' });
const amendAgain = amendTo('m');
const signalOn = (marketId: string) =>
  operate('signals', {
    citationUrl: 'https://example.org/',
    externalId: 'e1',
    headline: 'News',
    marketId,
    publishedAt: '2026-01-01T00:00:00Z',
    source: 'wire',
  });
const signal = signalOn('m');

/** Bob's NO is a YES offered at 0.55. A trade and quotes on both sides change every figure of the market. */
const tradeIn = (marketId: string): readonly Request[] => [
  byBob({ marketId, outcome: 'no', price: 0.45, quantity: 9 }),
  byAda('POST', () => '/api/orders', order({ marketId, price: 0.55, quantity: 4 })),
  byAda('POST', () => '/api/orders', order({ marketId, price: 0.5, quantity: 3 })),
];
const trade = tradeIn('m');
/** Fills against Bob's bid of 0.60 for YES: Ada then holds both outcomes. */
const noAtForty = order({ outcome: 'no', price: 0.4, quantity: 2 });
/** Changes everything in a market's record that can change, but for its end. */
const changesOf = (id: string): readonly Request[] => [...tradeIn(id), amendTo(id), to('pause', id), signalOn(id)];
const changes = changesOf('m');
const primary = ({ ada }: TradingFloor): string => ada.accountId;

/** The id of Ada's order that `trade` left in the book. */
const resting = new WeakMap<TradingFloor, string>();
const rest: Request = async (floor) => {
  const reply = await byAda('POST', () => '/api/orders', order())(floor);
  resting.set(floor, String(reply.body['id']));
  return reply;
};
const restingPath = (floor: TradingFloor): string => `/api/orders/${resting.get(floor) ?? ''}`;
const closeAda: Request = (floor) => operate(`accounts/${primary(floor)}/close`)(floor);

/** Each command that honours an Idempotency-Key: what comes before it, the command, and what changes its answer since. */
const CASES: Readonly<
  Record<string, readonly [before: readonly Request[], command: Request, after: readonly Request[]]>
> = {
  'a listing': [[], operate('markets', listing('new', { tickSize: 0.001 })), changesOf('new')],
  'a listing that is resolved since': [
    [],
    operate('markets', listing('new')),
    [...tradeIn('new'), operate('markets/new/resolve', { outcome: 'no' })],
  ],
  'a listing without an id': [[], operate('markets', listing('', { id: undefined })), [signal]],
  'an amendment': [[...trade], amend, changes],
  'an amendment after the first trade': [[...trade], amend, [byBob({ outcome: 'yes', price: 0.4 }), to('close')]],
  'a pause': [[...trade], to('pause'), [to('activate')]],
  'a pause of a market that is resolved since': [[...trade, amend], to('pause'), [amendAgain, resolve]],
  'an activation': [[amend, to('pause')], to('activate'), changes],
  'a close': [[...trade, amend], to('close'), [amendAgain, to('activate'), ...trade]],
  'a close of an empty book': [[amend], to('close'), [signal, amendAgain, to('activate'), ...trade]],
  'a resolution': [[...trade], resolve, [operate('markets', listing('other'))]],
  'a void': [[...trade], operate('markets/m/void', { price: 0.25, reason: 'withdrawn' }), []],
  'a signal': [[], signal, [to('pause')]],
  'an opened account': [[], operate('accounts', { displayName: 'Cy' }), [signal]],
  'an issued key': [
    [],
    (floor, key) => operate(`accounts/${primary(floor)}/keys`, { name: 'k', permissions: ['view'] })(floor, key),
    [closeAda],
  ],
  'an approval': [[], (floor, key) => operate(`accounts/${primary(floor)}/approve`)(floor, key), [rest, closeAda]],
  'a closed account': [
    [...trade, rest],
    (floor, key) => operate(`accounts/${primary(floor)}/close`)(floor, key),
    [resolve],
  ],
  'a forgotten name': [[closeAda], (floor, key) => operate(`accounts/${primary(floor)}/forget`)(floor, key), [signal]],
  "an operator's revocation": [
    [],
    (floor, key) => floor.harness.operate('DELETE', `/api/operator/keys/${floor.sub.keyId}`, undefined, key),
    [closeAda],
  ],
  'an order': [[...trade], byAda('POST', () => '/api/orders', order({ price: 0.6, quantity: 8 })), [resolve]],
  'an order that filled since': [
    [],
    byAda('POST', () => '/api/orders', order()),
    [byBob({ outcome: 'no', price: 0.6 })],
  ],
  'an amended order': [[rest], byAda('PATCH', restingPath, { price: 0.45 }), [byBob({ outcome: 'no', price: 0.55 })]],
  'an order amended in place': [[rest], byAda('PATCH', restingPath, { quantity: 5 }), [to('close')]],
  'a cancelled order': [[rest], byAda('DELETE', restingPath), [to('close')]],
  'a batch of orders': [
    [...trade],
    byAda('POST', () => '/api/orders/batch', { orders: [order(), order({ outcome: 'no', price: 0.3 })] }),
    [to('close'), to('activate')],
  ],
  'a merge': [
    [...trade, to('close'), to('activate'), byBob({ price: 0.6 }), byAda('POST', () => '/api/orders', noAtForty)],
    byAda('POST', () => '/api/positions/merge', { marketId: 'm' }),
    [resolve],
  ],
  'a sub-account': [[], byAda('POST', () => '/api/accounts/sub', { displayName: 'Helper' }), [resolve]],
  'a key of a fleet': [
    [],
    byAda('POST', ({ sub }) => `/api/accounts/sub/${sub.accountId}/keys`, { name: 'k', permissions: ['trade'] }),
    [resolve],
  ],
  'a revocation': [[], byAda('DELETE', ({ sub }) => `/api/accounts/keys/${sub.keyId}`), [resolve]],
  "a batch of an operator's": [
    [...trade, amend],
    operate('batch', {
      commands: [
        { op: 'pause-market', id: 'm' },
        { op: 'activate-market', id: 'm' },
        { op: 'amend-market', id: 'm', title: 'In a batch' },
        { op: 'close-market', id: 'm' },
        { op: 'list-market', ...listing('n2') },
        { op: 'open-account', displayName: 'Dan' },
      ],
    }),
    [to('activate'), amendAgain, ...trade],
  ],
};

/** The body without raw keys, which a replay has not. */
const shown = ({ body }: Reply): unknown =>
  JSON.parse(JSON.stringify(body), (name, value: unknown) => (name === 'rawKey' ? undefined : value));

async function sent(floor: TradingFloor, request: Request, idempotencyKey?: string): Promise<Reply> {
  const reply = await request(floor, idempotencyKey);
  expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
  return reply;
}

describe('the first answer to an Idempotency-Key', () => {
  for (const [what, [before, command, after]] of Object.entries(CASES)) {
    it(`comes back as it was, whatever happened since: ${what}`, async () => {
      // Closes and resolutions take several decisions.
      const floor = await TradingFloor.open({ settings: { runChunk: 1 } });
      for (const request of before) await sent(floor, request);
      const first = await sent(floor, command, 'once');
      for (const request of after) await sent(floor, request);
      const { length } = floor;
      const again = await sent(floor, command, 'once');
      expect(shown(again)).to.deep.equal(shown(first));
      expect(again.headers.get('Idempotent-Replayed')).to.equal('true');
      expect(floor.length).to.equal(length);
      await floor.close();
    });
  }

  it('comes back to a listing that is sent again without one, also when its closesAt has passed', async () => {
    const clock = new FakeClock();
    const floor = await TradingFloor.open({ clock });
    const closesAt = new Date(clock.now() + 60_000).toISOString();
    const list = operate('markets', listing('soon', { closesAt }));
    const first = await sent(floor, list);
    for (const request of tradeIn('soon')) await sent(floor, request);
    clock.advance(61_000);
    await sent(floor, to('pause'));
    const again = await sent(floor, list);
    expect([again.body, again.headers.get('Idempotent-Replayed')]).to.deep.equal([first.body, null]);
    await floor.close();
  });

  it('comes back once the read models have its sequence, and is 503 while they do not', async () => {
    let isBehind = false;
    const fresh = (): Promise<void> => (isBehind ? Promise.reject(new Unavailable('behind')) : Promise.resolve());
    const floor = await TradingFloor.open({ fresh });
    const first = await sent(floor, to('pause'), 'once');
    isBehind = true;
    expect((await to('pause')(floor, 'once')).status).to.equal(503);
    isBehind = false;
    expect((await sent(floor, to('pause'), 'once')).body).to.deep.equal(first.body);
    await floor.close();
  });

  it('says no names that were forgotten since', async () => {
    const floor = await TradingFloor.open();
    const open = operate('accounts', { displayName: 'Cy' });
    const { account, apiKey } = (await sent(floor, open, 'opened')).body as {
      account: { id: string };
      apiKey: { name: string };
    };
    const issue = operate(`accounts/${account.id}/keys`, { name: 'my key', permissions: ['view'] });
    await sent(floor, issue, 'issued');
    for (const end of ['close', 'forget']) await sent(floor, operate(`accounts/${account.id}/${end}`));
    expect(shown(await sent(floor, open, 'opened'))).to.deep.equal({
      account: { ...account, displayName: `Trader ${account.id.slice(-6)}` },
      apiKey: { ...(shown({ body: apiKey } as never) as object), name: 'forgotten' },
    });
    expect((await sent(floor, issue, 'issued')).body['apiKey']).to.include({ name: 'forgotten' });
    await floor.close();
  });
});
