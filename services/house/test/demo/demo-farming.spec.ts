import { createRandom, isLongSuiteLeftOut } from '@paper/testkit';
import { expect } from 'chai';
import { JOURNAL_BYTES } from '../../src/demo/journal-budget.ts';
import { DEFAULT_DEMO_SETTINGS } from '../../src/demo/settings.ts';
import { edgeUnits } from '../../src/quotes.ts';
import type { Quote } from '../../src/quotes.ts';
import { SimulatedDemo } from './simulated-demo.ts';

/**
 * Newcomers against the demo. What a newcomer gains is valued in two ways: each share at the hidden value at the moment
 * of the trade, which has a hard bound; and all that it holds at the end, which luck is a part of.
 */

const NEWCOMER = 'newcomer';
const { giveAwayUnits } = DEFAULT_DEMO_SETTINGS;
const DOLLAR = 10_000;
/** What the orders of one turn can add to a budget that is already spent: the quotes of some markets. */
const SLACK_UNITS = 20 * DOLLAR;

class Newcomer {
  /** Gained so far, each share valued at the hidden value when it was traded. */
  gainedUnits = 0;
  shares = 0;
  #counted = 0;

  constructor(readonly demo: SimulatedDemo) {
    demo.exchange.world.open(NEWCOMER, 1_000_000);
  }

  /** Takes what rests up to a YES price; nothing of the order stays. */
  take(marketId: string, isUp: boolean, yesUnits: number, quantity: number): void {
    const bound = Math.min(
      9_900,
      Math.max(100, isUp ? Math.floor(yesUnits / 100) * 100 : Math.ceil(yesUnits / 100) * 100),
    );
    const quote: Quote = isUp
      ? { outcome: 'yes', side: 'buy', priceUnits: bound, quantity }
      : { outcome: 'no', side: 'buy', priceUnits: 10_000 - bound, quantity };
    this.demo.exchange.world.place(NEWCOMER, { marketId, orderType: 'market', ...quote });
    this.count();
  }

  rest(marketId: string, isBid: boolean, yesUnits: number, quantity: number): void {
    const outcome = isBid ? 'yes' : 'no';
    const priceUnits = isBid ? yesUnits : 10_000 - yesUnits;
    this.demo.exchange.world.place(NEWCOMER, { marketId, outcome, side: 'buy', priceUnits, quantity });
  }

  /** Values the fills since the last call. */
  count(): void {
    const fills = this.demo.exchange.world.fills(NEWCOMER);
    for (const { marketId, outcome, priceUnits, quantity, side } of fills.slice(this.#counted)) {
      const value = this.demo.demo.valueOf(marketId);
      if (value !== undefined) this.gainedUnits += edgeUnits({ outcome, side, priceUnits }, value * 10_000) * quantity;
      this.shares += quantity;
    }
    this.#counted = fills.length;
  }

  get worthGain(): number {
    return this.demo.worth(NEWCOMER) - 1_000_000 * DOLLAR;
  }
}

/** Runs a strategy for an hour, with many seeds. */
async function hourOf(seeds: readonly number[], strategy: (newcomer: Newcomer) => () => void): Promise<Newcomer[]> {
  const done: Newcomer[] = [];
  for (const seed of seeds) {
    const newcomer = new Newcomer(new SimulatedDemo({ seed }));
    const act = strategy(newcomer);
    await newcomer.demo.run(60, () => {
      newcomer.count();
      act();
    });
    done.push(newcomer);
  }
  return done;
}

/** The bound of one hour: all of the budget at once, and all of it again as it comes back. */
const HOUR_BOUND_UNITS = 2 * giveAwayUnits + SLACK_UNITS;
/** Of one hour each. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('a newcomer in the demo', function () {
  if (isLongSuiteLeftOut()) return;
  this.timeout(90_000 * SEEDS.length);

  it('who reads every signal first and takes all quotes on its wrong side gains something, and a bounded amount', async () => {
    const done = await hourOf(SEEDS, (newcomer) => {
      const { demo } = newcomer;
      const fair = new Map<string, number>();
      demo.exchange.onSignal = ({ fairProb, marketId }) => {
        if (marketId === null || fairProb === null) return;
        fair.set(marketId, fairProb * 10_000);
        newcomer.take(marketId, true, fairProb * 10_000 - 50, 500);
        newcomer.take(marketId, false, fairProb * 10_000 + 50, 500);
      };
      // And again before each later turn of the makers, while their view is still behind.
      return () => {
        for (const [marketId, units] of [...fair].slice(-3)) {
          newcomer.take(marketId, true, units - 100, 500);
          newcomer.take(marketId, false, units + 100, 500);
        }
      };
    });
    for (const { gainedUnits, shares } of done) {
      expect(shares).to.be.greaterThan(500);
      expect(gainedUnits).to.be.at.most(HOUR_BOUND_UNITS);
    }
    expect(mean(done.map(({ gainedUnits }) => gainedUnits)), 'reading is worth something').to.be.greaterThan(0);
    expect(mean(done.map(({ worthGain }) => worthGain))).to.be.at.most(HOUR_BOUND_UNITS);
  });

  it('who knows every hidden value gains no more than the bound, however much is taken', async () => {
    const done = await hourOf(SEEDS.slice(0, Math.ceil(SEEDS.length / 2)), (newcomer) => () => {
      for (const { id } of newcomer.demo.exchange.markets()) {
        const units = (newcomer.demo.demo.valueOf(id) ?? 0.5) * 10_000;
        newcomer.take(id, true, units - 1, 500);
        newcomer.take(id, false, units + 1, 500);
      }
    });
    for (const { gainedUnits } of done) {
      expect(gainedUnits, 'the budget is what stops it').to.be.within(giveAwayUnits, HOUR_BOUND_UNITS);
    }
  });

  it('who trades at random loses the spread, and little more', async () => {
    const random = createRandom(99);
    const done = await hourOf(SEEDS, (newcomer) => () => {
      const market = random.pick(newcomer.demo.exchange.markets());
      newcomer.take(market.id, random.chance(0.5), random.chance(0.5) ? 9_900 : 100, random.int(1, 10));
    });
    for (const { gainedUnits, shares } of done) {
      expect(shares).to.be.greaterThan(500);
      expect(gainedUnits / shares).to.be.within(-500, 0);
    }
    expect(mean(done.map(({ gainedUnits, shares }) => gainedUnits / shares))).to.be.within(-300, -50);
  });

  it('who takes every quote at once, at any price, stops the demo at its journal budget, and gains nothing', async () => {
    const done = await hourOf(SEEDS.slice(0, 1), (newcomer) => () => {
      for (const { id } of newcomer.demo.exchange.markets()) {
        newcomer.take(id, true, 9_900, 500);
        newcomer.take(id, false, 100, 500);
      }
    });
    for (const { demo, gainedUnits } of done) {
      const counts = [...demo.demo.journal.counts];
      const bytes = counts.reduce((sum, [use, times]) => sum + times * JOURNAL_BYTES[use], 0);
      // The hour's budget, the hour's return of it, and what one turn and the cancels of all quotes add.
      expect(bytes).to.be.within(8e6, 12e6);
      expect(gainedUnits).to.be.below(0);
    }
  });

  it('who lies inside the quotes for the noise traders gains no more than the bound', async () => {
    const done = await hourOf(SEEDS.slice(0, Math.ceil(SEEDS.length / 2)), (newcomer) => () => {
      const { world } = newcomer.demo.exchange;
      for (const { orderId } of world.resting(NEWCOMER)) world.cancel(NEWCOMER, orderId);
      for (const { bestYesAsk, bestYesBid, id } of newcomer.demo.exchange.markets()) {
        if (bestYesAsk === null || bestYesBid === null || bestYesAsk - bestYesBid < 0.03) continue;
        newcomer.rest(id, true, Math.round(bestYesBid * 10_000) + 100, 20);
        newcomer.rest(id, false, Math.round(bestYesAsk * 10_000) - 100, 20);
      }
    });
    for (const { gainedUnits } of done) expect(gainedUnits).to.be.at.most(HOUR_BOUND_UNITS);
  });

  it('who pushes prices up and sells to those who follow gains no more than the bound', async () => {
    const done = await hourOf(SEEDS.slice(0, Math.ceil(SEEDS.length / 2)), (newcomer) => {
      let turn = 0;
      return () => {
        turn += 1;
        const { exchange } = newcomer.demo;
        const market = exchange.markets()[Math.floor(turn / 40) % 36];
        if (market === undefined) return;
        for (const { orderId } of exchange.world.resting(NEWCOMER)) exchange.world.cancel(NEWCOMER, orderId);
        if (turn % 40 < 10) newcomer.take(market.id, true, 9_900, 500);
        else newcomer.rest(market.id, false, Math.min(9_900, Math.round(market.probability * 100) * 100 + 200), 100);
      };
    });
    for (const { gainedUnits } of done) expect(gainedUnits).to.be.at.most(HOUR_BOUND_UNITS);
  });
});
