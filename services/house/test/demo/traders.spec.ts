import { createRandom } from '@paper/testkit';
import { expect } from 'chai';
import fc from 'fast-check';
import { informed, latenessMs, momentum, noise } from '../../src/demo/traders.ts';
import type { TraderMarketView, TraderView } from '../../src/demo/traders.ts';
import { isBid, yesPrice } from '../../src/quotes.ts';
import type { Holding } from '../../src/quotes.ts';

const NOW = 10_000_000;
const MINUTE = 60_000;
const QUIET: TraderMarketView = {
  marketId: 'm',
  tickUnits: 100,
  bidUnits: 4_900,
  askUnits: 5_100,
  probability: 0.5,
  move: 0,
  stillMs: 0,
  volume: 5,
  saneUnits: 5_000,
  cited: null,
};
const random = createRandom(31);
const chance = (): number => random.next() / 2 ** 32;
const half = (): number => 0.5;

const viewOf = (
  market: Partial<TraderMarketView>,
  held: Holding = { yes: 0, no: 0 },
  name = 'Demo Ada',
): TraderView => ({
  name,
  markets: [{ ...QUIET, ...market }],
  held: new Map([['m', held]]),
  wealth: 1,
  nowMs: NOW,
});
/** News that this trader has read. */
const readNews = (fairProb: number, ageMs = 2 * MINUTE): Partial<TraderMarketView> => {
  const cited = { seq: 1, source: 's', fairProb, publishedAtMs: NOW - ageMs };
  let { seq } = cited;
  while (latenessMs('Demo Ada', { ...cited, seq }) === null) seq += 1;
  return { cited: { ...cited, seq } };
};

describe("the demo's informed traders", () => {
  it('buy what news says is cheap, and the other outcome of what is dear', () => {
    expect(informed(viewOf(readNews(0.56)), half)).to.deep.equal({
      marketId: 'm',
      outcome: 'yes',
      side: 'buy',
      priceUnits: 5_500,
      quantity: 15,
    });
    expect(informed(viewOf(readNews(0.44)), half)).to.deep.include({ outcome: 'no', side: 'buy', priceUnits: 5_500 });
  });

  it('sell the other outcome first, where they hold it', () => {
    expect(informed(viewOf(readNews(0.56), { yes: 0, no: 30 }), half)).to.deep.include({
      outcome: 'no',
      side: 'sell',
      quantity: 15,
    });
  });

  it('do nothing where the price is about right, the news is new or old, or they hold enough', () => {
    expect(informed(viewOf(readNews(0.512)), half)).to.equal(null);
    expect(informed(viewOf(readNews(0.56, 1_000)), half)).to.equal(null);
    expect(informed(viewOf(readNews(0.56, 9 * MINUTE)), half)).to.equal(null);
    expect(informed(viewOf(readNews(0.56), { yes: 120, no: 0 }), half)).to.equal(null);
    expect(informed(viewOf({}), half)).to.equal(null);
  });

  it('miss a part of the news, and read the rest between 8 and 70 seconds late', () => {
    const late = Array.from({ length: 2_000 }, (_, seq) =>
      latenessMs('Demo Ada', { seq, source: 's', fairProb: 0.5, publishedAtMs: 0 }),
    );
    const read = late.filter((ms) => ms !== null);
    expect(read.length / late.length).to.be.closeTo(0.7, 0.05);
    expect(Math.min(...read)).to.be.within(8_000, 12_000);
    expect(Math.max(...read)).to.be.within(66_000, 70_000);
  });

  it('sell what they hold where the price has gone beyond the fair value', () => {
    const view = viewOf({ ...readNews(0.48) }, { yes: 40, no: 0 });
    expect(informed(view, half)).to.deep.include({ outcome: 'yes', side: 'sell', priceUnits: 4_900 });
  });
});

describe("the demo's noise traders", () => {
  it('trade where nobody did, else where the price has stood still', () => {
    const markets = [1, 2, 3, 4, 5].map((minutes) => ({
      ...QUIET,
      marketId: `still-${minutes}`,
      stillMs: minutes * MINUTE,
    }));
    const view = { ...viewOf({}), markets: [...markets, { ...QUIET, marketId: 'untraded', volume: 0 }] };
    const chosen = new Set(Array.from({ length: 200 }, () => noise(view, chance)?.marketId));
    expect([...chosen]).to.have.members(['untraded', 'still-5', 'still-4']);
  });

  it('trade less where they have lost, and nothing where the makers are away', () => {
    const view = { ...viewOf({}), wealth: 0.05 };
    for (let turn = 0; turn < 50; turn += 1) expect(noise(view, chance)?.quantity ?? 1).to.be.at.most(2);
    expect(noise(viewOf({ askUnits: null }), chance)).to.equal(null);
    expect(noise(viewOf({ askUnits: 6_000 }), chance)).to.equal(null);
  });
});

describe("the demo's momentum trader", () => {
  it('follows a move, and gets out when it is over', () => {
    expect(momentum(viewOf({ move: 0.03 }), half)).to.deep.include({ outcome: 'yes', side: 'buy', priceUnits: 5_200 });
    expect(momentum(viewOf({ move: -0.03 }), half)).to.deep.include({ outcome: 'no', side: 'buy', priceUnits: 5_200 });
    expect(momentum(viewOf({ move: 0.01 }), half)).to.equal(null);
    expect(momentum(viewOf({ move: 0.03 }, { yes: 60, no: 0 }), half)).to.equal(null);
    expect(momentum(viewOf({ move: -0.01 }, { yes: 60, no: 0 }), half)).to.deep.include({
      outcome: 'yes',
      side: 'sell',
    });
  });
});

describe('every trader of the demo', () => {
  it('sells only what it holds, and pays at most 5 cents more than what is sane', () => {
    const cents = fc.integer({ min: 1, max: 99 });
    fc.assert(
      fc.property(
        cents,
        cents,
        fc.integer({ min: 100, max: 9_900 }),
        fc.double({ min: -0.2, max: 0.2, noNaN: true }),
        cents,
        fc.record({ yes: fc.nat(200), no: fc.nat(200) }),
        fc.double({ min: 0.05, max: 1, noNaN: true }),
        (low, high, saneUnits, move, fair, held, wealth) => {
          const [bidUnits, askUnits] = [100 * Math.min(low, high), 100 * Math.max(low, high)];
          const market = { ...readNews(fair / 100), bidUnits, askUnits, move, saneUnits };
          for (const trader of [informed, noise, momentum]) {
            const order = trader({ ...viewOf(market, held), wealth }, chance);
            if (order === null) continue;
            if (order.side === 'sell') expect(order.quantity).to.be.at.most(held[order.outcome]);
            expect(order.quantity).to.be.within(1, 500);
            expect(order.priceUnits % 100).to.equal(0);
            expect(order.priceUnits).to.be.within(100, 9_900);
            const price = yesPrice(order);
            if (isBid(order)) expect(price).to.be.within(askUnits, saneUnits + 500);
            else expect(price).to.be.within(saneUnits - 500, bidUnits);
          }
        },
      ),
      { seed: 41, numRuns: 3_000 },
    );
  });
});
