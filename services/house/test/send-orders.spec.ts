import { expect } from 'chai';
import { ApiAnswer } from 'paper-trading-client';
import { RetryLater } from '../src/loop.ts';
import type { Changes, Quote, RestingQuote } from '../src/quotes.ts';
import { sendOrders } from '../src/send-orders.ts';
import type { OrderClient, SentResult } from '../src/send-orders.ts';
import { worldClient } from './fake-service.ts';
import { World } from './world.ts';

const MAKER = 'maker';
const quote = (outcome: Quote['outcome'], priceUnits: number, quantity = 10): Quote => ({
  outcome,
  side: 'buy',
  priceUnits,
  quantity,
});

/** A request as the tests compare it. */
function shown(id: string, sent: { readonly query?: object; readonly body?: unknown }): string {
  const { marketId } = (sent.query ?? {}) as { readonly marketId?: string };
  const { orders, price, quantity } = (sent.body ?? {}) as {
    readonly orders?: readonly unknown[];
    readonly price?: number;
    readonly quantity?: number;
  };
  if (id === 'placeOrders') return `place ${orders?.length ?? 0}`;
  if (id === 'cancelOrders') return `cancel all of ${marketId ?? ''}`;
  if (id === 'cancelOrder') return 'cancel';
  return `amend${price === undefined ? '' : ` price ${price}`}${quantity === undefined ? '' : ` quantity ${quantity}`}`;
}

describe("sending a maker's orders", () => {
  let world: World;
  let requests: string[];
  let client: OrderClient;
  let results: SentResult[];

  beforeEach(() => {
    world = new World(3);
    for (const market of ['m', 'n']) world.list(market, 5_000);
    for (const account of [MAKER, 'ann']) world.open(account);
    requests = [];
    results = [];
    const called = worldClient(world, MAKER);
    client = {
      request: (id, sent, options) => {
        requests.push(shown(id, sent));
        return called.request(id, sent, options);
      },
    };
  });

  const standing = (): RestingQuote[] =>
    world.resting(MAKER).map((order) => ({
      ...order,
      id: order.orderId,
      quantity: order.quantity - order.filledQty,
    }));
  const rests = (of: Quote, marketId = 'm'): RestingQuote => {
    const order = world.place(MAKER, { marketId, postOnly: true, ...of }) ?? expect.fail('refused');
    return { ...of, id: order.orderId, filledQty: 0 };
  };
  const send = (change: Partial<Changes>, open = standing().length, marketId = 'm'): Promise<void> =>
    sendOrders(client, [{ marketId, open, cancel: [], move: [], place: [], ...change }], (_, result) =>
      results.push(result),
    );
  const book = (): string[] =>
    standing().map(({ outcome, priceUnits, quantity }) => `${quantity} ${outcome} at ${priceUnits}`);

  it('places all quotes in batches of 50, the first of every market before the second', async () => {
    const place = Array.from({ length: 30 }, (_, level) => quote('yes', 4_900 - level * 100));
    const change = { open: 0, cancel: [], move: [], place };
    await sendOrders(
      client,
      [
        { marketId: 'm', ...change },
        { marketId: 'n', ...change },
      ],
      (_, result) => results.push(result),
    );
    expect(requests).to.deep.equal(['place 50', 'place 10']);
    expect(results.filter(({ order }) => order?.status === 'open')).to.have.length(60);
    expect(
      world
        .resting(MAKER)
        .slice(0, 3)
        .map(({ marketId }) => marketId),
    ).to.deep.equal(['m', 'n', 'm']);
  });

  it('sends nothing for no changes', async () => {
    await send({});
    expect(requests).to.deep.equal([]);
  });

  it('cancels by one request where all quotes of a market go, else each, and leaves other markets alone', async () => {
    const [a, b] = [rests(quote('yes', 4_800)), rests(quote('no', 4_800))];
    rests(quote('yes', 4_800), 'n');
    await send({ cancel: [a.id] }, 2);
    await send({ cancel: [b.id] }, 1);
    expect(requests).to.deep.equal(['cancel', 'cancel all of m']);
    expect(world.resting(MAKER).map(({ marketId }) => marketId)).to.deep.equal(['n']);
  });

  it('moves a quote by its price, its quantity or both; the total counts what is filled', async () => {
    const order = rests(quote('yes', 4_800));
    world.place('ann', { marketId: 'm', outcome: 'no', side: 'buy', priceUnits: 5_200, quantity: 4 });
    const [left] = standing();
    expect(left).to.include({ filledQty: 4, quantity: 6 });
    await send({ move: [{ order: left ?? order, quote: quote('yes', 4_900, 6) }] });
    const [moved] = standing();
    await send({ move: [{ order: moved ?? order, quote: quote('yes', 4_900, 10) }] });
    expect(requests).to.deep.equal(['amend price 0.49', 'amend quantity 14']);
    expect(book()).to.deep.equal(['10 yes at 4900']);
    expect(world.resting(MAKER)[0]?.orderId).to.equal(order.id);
  });

  it('keeps the place of a quote that only becomes smaller', async () => {
    const order = rests(quote('yes', 4_800));
    world.place('ann', { marketId: 'm', ...quote('yes', 4_800) });
    await send({ move: [{ order, quote: quote('yes', 4_800, 5) }] });
    world.open('ben');
    world.place('ben', { marketId: 'm', outcome: 'no', side: 'buy', priceUnits: 5_200, quantity: 5 });
    expect([world.held(MAKER, 'm').yes, world.held('ann', 'm').yes]).to.deep.equal([5, 0]);
  });

  it('moves away from the other side first, so that a jump over an own quote does not cancel it', async () => {
    const [bid, ask] = [rests(quote('yes', 4_800)), rests(quote('no', 4_800))];
    await send({
      move: [
        { order: bid, quote: quote('yes', 5_800) },
        { order: ask, quote: quote('no', 3_800) },
      ],
    });
    expect(requests).to.deep.equal(['amend price 0.38', 'amend price 0.58']);
    expect(book()).to.have.members(['10 yes at 5800', '10 no at 3800']);
  });

  it('takes nothing: a quote or a move that would take comes back cancelled, and the others rest', async () => {
    world.place('ann', { marketId: 'm', outcome: 'yes', side: 'buy', priceUnits: 5_500, quantity: 3 });
    const ask = rests(quote('no', 4_000));
    await send({ move: [{ order: ask, quote: quote('no', 4_600) }], place: [quote('no', 4_500), quote('yes', 4_800)] });
    expect(results.map(({ order }) => order?.status)).to.deep.equal(['cancelled', 'cancelled', 'open']);
    expect(book()).to.deep.equal(['10 yes at 4800']);
    expect(world.fills(MAKER)).to.deep.equal([]);
  });

  it('goes on where items are refused, and cancels what it may not move', async () => {
    const order = rests(quote('yes', 4_800));
    world.pause('m');
    await sendOrders(
      client,
      [
        {
          marketId: 'm',
          open: 1,
          cancel: [],
          move: [{ order, quote: quote('yes', 4_700) }],
          place: [quote('no', 4_800)],
        },
        { marketId: 'n', open: 0, cancel: [], move: [], place: [quote('yes', 4_800)] },
      ],
      (_, result) => results.push(result),
    );
    expect(requests).to.deep.equal(['amend price 0.47', 'cancel', 'place 2']);
    expect(results.map((result) => (result.order === null ? 'refused' : result.order.status))).to.deep.equal([
      'refused',
      'refused',
      'open',
    ]);
    expect(world.resting(MAKER).map(({ marketId }) => marketId)).to.deep.equal(['n']);
  });

  it('answers a move of an order that was filled meanwhile as refused', async () => {
    const order = rests(quote('yes', 4_800));
    world.place('ann', { marketId: 'm', outcome: 'no', side: 'buy', priceUnits: 5_200, quantity: 10 });
    await send({ move: [{ order, quote: quote('yes', 4_700) }] }, 1);
    expect(results.map(({ order: answered }) => answered)).to.deep.equal([null]);
    expect(book()).to.deep.equal([]);
  });

  it('waits where the service asks for it, and sends nothing more', async () => {
    const order = rests(quote('yes', 4_800));
    client = {
      request: () => {
        const headers = new Headers({ 'retry-after': '2' });
        return Promise.resolve(new ApiAnswer('PATCH', { status: 429, headers, body: {}, text: '' }));
      },
    };
    const sent = send({ move: [{ order, quote: quote('yes', 4_700) }], place: [quote('no', 4_800)] });
    await sent.then(
      () => expect.fail('it did not wait'),
      (error: unknown) => expect(error).to.be.instanceOf(RetryLater).with.property('ms', 2_000),
    );
    expect(requests).to.deep.equal([]);
    expect(book()).to.deep.equal(['10 yes at 4800']);
  });
});
