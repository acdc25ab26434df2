import type { State } from '@paper/exchange';
import { SHARE_UNITS } from '@paper/exchange/vocabulary';
import type { BookSide, SidedLevel, TapeEvent } from '@paper/tapes';
import { createRandom, IS_LONG_RUN } from '@paper/testkit';
import type { Random } from '@paper/testkit';
import { expect } from 'chai';
import { micros, NaiveQueue, queueLine } from './naive-queue.ts';
import { ask, bid, level, levels, order, playEvents, START_MS, trade } from './played-tape.ts';

const SEEDS = IS_LONG_RUN ? 50 : 15;
const STEPS = 200;
const PRICES = Array.from({ length: 9 }, (_, index) => 4_600 + 100 * index);

/** The queues of the exchange, as NaiveQueue has them. */
function linesOf(state: State, nameOf: (accountId: string) => string): readonly string[] {
  const book = state.markets.get('m')?.book;
  return (['bid', 'ask'] as const).flatMap(
    (side) =>
      (side === 'bid' ? book?.yes : book?.no)
        ?.levels()
        .map((found) => {
          const queue: { owner: string; shares: number }[] = [];
          for (let at = found.head; at !== null; at = at.next) {
            queue.push({ owner: nameOf(at.position.account.id), shares: at.remaining });
          }
          return [side === 'bid' ? found.priceUnits : SHARE_UNITS - found.priceUnits, queue] as const;
        })
        .sort(([a], [b]) => a - b)
        .map(([price, queue]) => queueLine(side, price, queue)) ?? [],
  );
}

/** Levels of a book that does not cross. */
function randomBook(random: Random): readonly [SidedLevel[], SidedLevel[]] {
  const middle = random.pick(PRICES);
  const some = (prices: readonly number[], make: typeof bid): SidedLevel[] =>
    prices
      .filter(() => random.chance(0.6))
      .map((price) => ({ ...make(price, 0), sizeMicros: micros(random.int(1, 60) / 2) }));
  return [
    some(PRICES.filter((price) => price < middle).toReversed(), bid),
    some(
      PRICES.filter((price) => price >= middle),
      ask,
    ),
  ];
}

/** What a tape may say next: a level that does not cross, a whole book, or a trade. */
function nextEvent(random: Random, naive: NaiveQueue, atMs: number): TapeEvent {
  const side: BookSide = random.pick(['bid', 'ask']);
  const sizes = naive.tape.side('m', side);
  const filled = (of: BookSide) => [...naive.tape.side('m', of)].filter(([, size]) => size > 0);
  const kind = random.weighted([
    [10, 'level'],
    [6, 'trade'],
    [1, 'levels'],
  ] as const);
  if (kind === 'levels') return levels(atMs, ...randomBook(random));
  if (kind === 'trade') {
    const best = filled(side).sort(([a], [b]) => (side === 'bid' ? b - a : a - b));
    const [price, size] = random.chance(0.8) ? (best[0] ?? [5_000, 0]) : [random.pick(PRICES), 0];
    const isJoined = size > 0 && random.chance(0.8);
    const sizeMicros = isJoined ? Math.ceil(size / random.int(1, 3)) : micros(random.int(1, 40) / 2);
    const event = trade(atMs, side === 'ask' ? 'yes' : 'no', price, 0, null);
    return { ...event, levelAfterMicros: isJoined ? size - sizeMicros : null, sizeMicros } as TapeEvent;
  }
  const others = filled(side === 'bid' ? 'ask' : 'bid').map(([price]) => price);
  const free = PRICES.filter((price) => others.every((stands) => (side === 'bid' ? price < stands : price > stands)));
  if (free.length === 0) return levels(atMs, ...randomBook(random));
  const price = random.pick(free);
  const sizeMicros = random.chance(0.2)
    ? 0
    : random.chance(0.5)
      ? (sizes.get(price) ?? 0) >> 1
      : micros(random.int(1, 80) / 2);
  return level(atMs, { priceUnits: price, side, sizeMicros });
}

async function playRandomly(seed: number): Promise<number> {
  const random = createRandom(seed);
  const naive = new NaiveQueue();
  const { exchange, houses, move, participants } = await playEvents([]);
  const names = new Map<string, string>([[houses.mirror, 'mirror']]);
  for (const [index, { accountId }] of participants.entries()) names.set(accountId, `participant ${index}`);
  const steps: string[] = [];
  for (let step = 1; step <= STEPS; step += 1) {
    const by = random.pick(participants);
    const owner = names.get(by.accountId) ?? '';
    const side: BookSide = random.pick(['bid', 'ask']);
    const priceUnits = random.pick(PRICES);
    const what = random.weighted([
      [6, 'event'],
      [3, 'order'],
      [1, 'cancel'],
    ] as const);
    if (what === 'event') {
      const event = nextEvent(random, naive, 10 * step);
      steps.push(JSON.stringify(event));
      naive.play(event);
      await move([event]);
    } else if (what === 'order') {
      const [shares, rests] = [random.int(1, 30), random.chance(0.8)];
      steps.push(`${owner} ${side} ${priceUnits} ${shares} ${rests ? 'GTC' : 'IOC'}`);
      naive.order(owner, side, priceUnits, shares, rests);
      const [outcome, own] =
        side === 'bid' ? (['yes', priceUnits] as const) : (['no', SHARE_UNITS - priceUnits] as const);
      await order(exchange, by, outcome, own, shares, rests ? 'GTC' : 'IOC');
    } else {
      steps.push(`${owner} cancels ${side} ${priceUnits}`);
      naive.cancel(owner, side, priceUnits);
      const own = side === 'bid' ? priceUnits : SHARE_UNITS - priceUnits;
      for (const resting of exchange.state().orders.values()) {
        if (resting.position.account.id !== by.accountId || resting.priceUnits !== own) continue;
        if ((resting.outcome === 'yes') !== (side === 'bid')) continue;
        await exchange.submit(by, { orderId: resting.id, type: 'CancelOrder' });
      }
    }
    const found = linesOf(exchange.state(), (id) => names.get(id) ?? id);
    expect(found, `seed ${seed}:\n${steps.slice(-12).join('\n')}`).to.deep.equal(naive.lines());
  }
  await exchange.end();
  return STEPS;
}

describe('the place in the queue', function () {
  this.timeout(120_000);

  it(`is that of a naive book in ${SEEDS * STEPS} random cases`, async () => {
    let cases = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) cases += await playRandomly(seed);
    expect(cases).to.equal(SEEDS * STEPS);
  });

  it('is kept ahead of what the tape adds later, and never gained by what it withdraws', async () => {
    const { exchange, houses, move, participants } = await playEvents([levels(0, [bid(4_000, 10)], [])]);
    const [ann] = participants;
    if (ann === undefined) throw new Error('nobody takes part');
    const nameOf = (id: string): string => (id === houses.mirror ? 'mirror' : 'ann');
    const at4000 = (): string | undefined => linesOf(exchange.state(), nameOf)[0];
    await order(exchange, ann, 'yes', 4_000, 5, 'GTC');
    await move([level(10, bid(4_000, 30))]);
    expect(at4000()).to.equal('bid 4000: mirror 10, ann 5, mirror 20');
    await move([level(20, bid(4_000, 12))]);
    expect(at4000()).to.equal('bid 4000: mirror 10, ann 5, mirror 2');
    await move([level(30, bid(4_000, 8))]);
    expect(at4000()).to.equal('bid 4000: mirror 8, ann 5');
    await move([trade(40, 'no', 4_000, 8, 0)]);
    expect(at4000()).to.equal('bid 4000: ann 5');
  });

  it('shows what participants took of a level as gone until the tape has less', async () => {
    const { exchange, move, participants } = await playEvents([levels(0, [], [ask(5_000, 10)])]);
    const [ann] = participants;
    if (ann === undefined) throw new Error('nobody takes part');
    const shown = () => exchange.state().markets.get('m')?.book.no.best?.quantity;
    await order(exchange, ann, 'yes', 5_000, 4, 'IOC');
    await move([level(10, ask(5_000, 12))]);
    expect(shown()).to.equal(8);
    await move([level(20, ask(5_000, 3))]);
    expect(shown()).to.equal(undefined);
    await move([level(30, ask(5_000, 9))]);
    expect(shown()).to.equal(6);
  });

  it('begins with the book of the events before the first moment', async () => {
    const { exchange } = await playEvents([], [levels(-10, [bid(4_000, 7)], []), trade(-5, 'no', 4_000, 2, null)]);
    expect(exchange.state().markets.get('m')?.book.yes.best?.quantity).to.equal(5);
    expect(exchange.now()).to.equal(START_MS);
  });
});
