import { expect } from 'chai';
import { eventually } from '@paper/testkit';
import { at, buy, runBacktest, TAPE } from './running-backtest.ts';
import type { RunningBacktest } from './running-backtest.ts';

const advance = '/api/clock/advance';
const LATE = 2.5;

interface Message {
  readonly type: string;
  readonly id: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Level {
  readonly price: number;
  readonly quantity: number;
}

describe('streams of a backtest under feedLatencyMs', function () {
  this.timeout(60_000);
  let backtest: RunningBacktest;

  beforeEach(async () => (backtest = await runBacktest({ feedLatencyMs: 1_000 * LATE })));
  afterEach(() => backtest.stop());

  /** The messages of a stream, as they come. */
  async function follow(path: string): Promise<() => readonly Message[]> {
    const stream = await backtest.stream(0, path);
    expect(stream.statusCode).to.equal(200);
    let text = '';
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
    return () =>
      text
        .split('\n\n')
        .slice(0, -1)
        .flatMap((block) => {
          const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
          const data = field('data');
          if (data === undefined) return [];
          const id = field('id');
          const parsed = JSON.parse(data) as Message['data'];
          return [{ data: parsed, id: id === undefined ? null : Number(id), type: field('event') ?? 'message' }];
        });
  }

  const go = async (seconds: number): Promise<void> => {
    await backtest.call(0, 'POST', advance, { until: at(seconds), wake: [] });
  };

  /** The quantities of the YES book at a sequence. */
  async function bookAt(seq: number): Promise<unknown> {
    const { body } = await backtest.call(0, 'GET', `/api/orderbook/${TAPE}?asOfSeq=${seq}`);
    return sidesOf(body);
  }

  const sidesOf = (body: Readonly<Record<string, unknown>>): readonly Level[][] => {
    const yes = body['yes'] as Record<'asks' | 'bids', Level[]>;
    return [yes.bids, yes.asks].map((side) => side.map(({ price, quantity }) => ({ price, quantity })));
  };

  /** The book that a snapshot and the deltas after it add up to. */
  function fold(messages: readonly Message[]): readonly Level[][] {
    const [first] = messages;
    const sides = first === undefined ? [] : sidesOf(first.data).map((side) => new Map(side.map((l) => [l.price, l])));
    for (const { data, type } of messages) {
      if (type !== 'delta') continue;
      const { price, quantity, side } = data as unknown as Level & { readonly side: 'ask' | 'bid' };
      const levels = sides[side === 'bid' ? 0 : 1];
      if (quantity === 0) levels?.delete(price);
      else levels?.set(price, { price, quantity });
    }
    return sides.map((side, index) =>
      [...side.values()].sort((a, b) => (index === 0 ? b.price - a.price : a.price - b.price)),
    );
  }

  it('begin a book with what is shown, and go on with all that follows, each as late', async () => {
    const fromStart = await follow(`/api/stream/orderbook/${TAPE}`);
    await eventually('the empty book', () => fromStart().length === 1);
    expect(sidesOf(fromStart()[0]?.data ?? {})).to.deep.equal([[], []]);
    await go(30);
    await backtest.call(0, 'POST', '/api/orders', buy(3));
    const later = await follow(`/api/stream/orderbook/${TAPE}`);
    await go(60);
    // All that is due by now comes, and it is no more than that.
    const { body } = await backtest.call(0, 'GET', `/api/trades/recent?marketId=${TAPE}&to=${at(60 - LATE)}&limit=1`);
    const [last] = JSON.parse(String(body['text'])) as { seq: number }[];
    for (const stream of [fromStart, later]) {
      await eventually('the last trade that is due', () => stream().some(({ id }) => (id ?? 0) >= (last?.seq ?? 0)));
      const messages = stream();
      const seq = messages.findLast(({ id }) => id !== null)?.id ?? 0;
      expect(fold(messages)).to.deep.equal(await bookAt(seq));
      const latest = messages.flatMap(({ data }) =>
        [data['at'], data['createdAt']].filter((t) => typeof t === 'string'),
      );
      expect(latest.every((time) => time <= at(60 - LATE))).to.equal(true);
    }
    const [snapshot] = later();
    expect(fold(later().slice(0, 1))).to.deep.equal(await bookAt(snapshot?.id ?? 0));
    const fills = later().filter(({ data, type }) => type === 'trade' && data['createdAt'] === at(30));
    expect(fills).to.have.length.greaterThan(0);
  });

  it('show pulses by the clock, of what is shown, and not of the present', async () => {
    await go(20);
    await backtest.call(0, 'POST', '/api/orders', buy(7));
    const named = await follow(`/api/stream?marketIds=${TAPE}`);
    const active = await follow('/api/stream');
    await eventually('the first pulses', () => named().length === 1 && active().length === 1);
    const volume = (message: Message | undefined): number =>
      (message?.data['markets'] as { volume: number }[] | undefined)?.[0]?.volume ?? 0;
    const [before] = named();
    expect(before?.data['ts']).to.equal(at(20 - LATE));
    for (const seconds of [21, 22, 22.4, 24]) await go(seconds);
    await eventually('two pulses more', () => named().length === 3 && active().length === 3);
    // One at the first moment of each two seconds, as late.
    expect(named().map(({ data }) => String(data['ts']))).to.deep.equal([17.5, 19.5, 21.5].map(at));
    expect(
      active()
        .slice(1)
        .map(({ data }) => data),
    ).to.deep.equal(
      named()
        .slice(1)
        .map(({ data }) => data),
    );
    const { body, headers } = await backtest.call(0, 'GET', `/api/markets/${TAPE}`);
    expect(headers).to.include({ 'x-feed-time': at(24 - LATE), 'x-time': at(24) });
    expect(Number(body['volume'])).to.be.greaterThan(volume(named()[1]));
    expect(volume(named()[2])).to.be.at.least(volume(named()[1]) + 7);
  });
});
