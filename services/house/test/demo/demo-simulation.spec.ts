import { IS_LONG_RUN, longTest } from '@paper/testkit';
import { expect } from 'chai';
import { JOURNAL_BYTES, JOURNAL_BYTES_A_DAY } from '../../src/demo/journal-budget.ts';
import { isRound } from '../../src/demo/rounds.ts';
import { DEFAULT_DEMO_SETTINGS } from '../../src/demo/settings.ts';
import { TRADERS } from '../../src/demo/traders.ts';
import { edgeUnits } from '../../src/quotes.ts';
import { SimulatedDemo } from './simulated-demo.ts';

const MAKERS = ['maker-1', 'maker-2'];
const DAY_MINUTES = 24 * 60;
/** The calls after which the demo is killed, counted from its start. */
const LOST_CALLS = IS_LONG_RUN
  ? [1, 4, 30, 170, 200, 500, 700, 900, 1_100, 1_300, 1_500, 1_700]
  : [1, 4, 30, 170, 200, 500];
/** How long the demo runs unwatched: long enough for rounds to end and begin. */
const UNWATCHED_MINUTES = IS_LONG_RUN ? 240 : 120;

/** What the exchange would show of a run: every order, every signal. */
function trace(demo: SimulatedDemo): readonly unknown[] {
  const { exchange } = demo;
  const accounts = [...MAKERS, ...TRADERS.map(({ role }) => role)];
  return [
    accounts.map((account) => exchange.world.orders(account)),
    exchange.signals.map(({ fairProb, marketId }) => [marketId, fairProb]),
  ];
}

function writtenBytes(demo: SimulatedDemo): number {
  return [...demo.demo.journal.counts].reduce((sum, [use, times]) => sum + times * JOURNAL_BYTES[use], 0);
}

describe("the demo's world", function () {
  this.timeout(120_000);

  it('is determined by its seed', async function () {
    longTest(this);
    const run = async (seed: number) => {
      const demo = new SimulatedDemo({ seed });
      await demo.run(3);
      return trace(demo);
    };
    const first = await run(1);
    expect(await run(1)).to.deep.equal(first);
    expect(await run(2)).to.not.deep.equal(first);
  });

  for (const seed of [1, 2, 3]) {
    it(`lives within ten minutes: prices, signals, trades, and markets that end (seed ${seed})`, async function () {
      if (seed !== 1) longTest(this);
      const demo = new SimulatedDemo({ seed });
      const { exchange } = demo;
      const prices = new Map<string, Set<number>>();
      const rounds = new Set<string>();
      await demo.run(10, () => {
        for (const { id, probability } of exchange.markets()) {
          prices.set(id, (prices.get(id) ?? new Set()).add(probability));
          if (isRound(id)) rounds.add(id);
        }
      });
      const active = exchange.markets();
      expect(active).to.have.length(40);
      for (const { id, spread, volume } of active) {
        expect(prices.get(id)?.size, `prices of ${id}`).to.be.at.least(5);
        expect(volume, id).to.be.greaterThan(0);
        expect(spread, id).to.not.equal(null);
      }
      expect(new Set(active.map(({ spread }) => spread)).size).to.be.at.least(3);
      expect(exchange.signals.length).to.be.within(8, 14);
      expect(new Set(exchange.signals.map(({ marketId }) => marketId)).size).to.be.at.least(8);
      expect(rounds.size - active.filter(({ id }) => isRound(id)).length, 'ended').to.be.at.least(3);
      const ofKind = (kind: string) => TRADERS.filter(({ trader }) => trader.name === kind).map(({ role }) => role);
      for (const kind of ['informed', 'noise']) {
        expect(
          ofKind(kind).flatMap((role) => exchange.world.fills(role)),
          kind,
        ).to.not.have.length(0);
      }
    });
  }

  it('lets informed traders gain and noise traders lose, by the hidden value of what they trade', async function () {
    longTest(this);
    const gained = new Map<string, number>();
    for (const seed of [5, 6]) {
      const demo = new SimulatedDemo({ seed });
      const counted = new Map<string, number>();
      await demo.run(40, () => {
        for (const { role, trader } of TRADERS) {
          const fills = demo.exchange.world.fills(role);
          for (const { marketId, outcome, priceUnits, quantity, side } of fills.slice(counted.get(role) ?? 0)) {
            const value = demo.demo.valueOf(marketId) ?? 0.5;
            const gain = edgeUnits({ outcome, side, priceUnits }, value * 10_000) * quantity;
            gained.set(trader.name, (gained.get(trader.name) ?? 0) + gain);
          }
          counted.set(role, fills.length);
        }
      });
    }
    expect(gained.get('informed')).to.be.greaterThan(0);
    expect(gained.get('noise')).to.be.lessThan(0);
  });

  it('writes less than its limit into the journal in a day that somebody watches', async function () {
    longTest(this);
    const demo = new SimulatedDemo({ seed: 8, settings: { turnMs: 30_000 } });
    let [sides, missing] = [0, 0];
    await demo.run(DAY_MINUTES, () => {
      for (const { spread } of demo.exchange.markets()) {
        sides += 1;
        if (spread === null) missing += 1;
      }
    });
    expect(writtenBytes(demo)).to.be.within(0.5 * JOURNAL_BYTES_A_DAY, JOURNAL_BYTES_A_DAY);
    expect(demo.exchange.markets()).to.have.length(40);
    expect(missing / sides, 'markets with a side that nobody quotes').to.be.below(0.01);
  });

  it('writes a tenth of that while nobody is connected, and goes on when somebody comes', async function () {
    longTest(this);
    let watched = false;
    const demo = new SimulatedDemo({ seed: 9, isWatched: () => watched });
    await demo.run(UNWATCHED_MINUTES);
    const unwatched = writtenBytes(demo);
    expect((unwatched / UNWATCHED_MINUTES) * DAY_MINUTES).to.be.below(JOURNAL_BYTES_A_DAY / 7);
    watched = true;
    const before = demo.exchange.signals.length;
    await demo.run(10);
    expect(demo.exchange.signals.length - before).to.be.at.least(7);
  });

  describe('after a restart', () => {
    const openRounds = (demo: SimulatedDemo): readonly string[] =>
      [...demo.exchange.world.state.markets]
        .filter(([id, { phase }]) => isRound(id) && phase !== 'resolved')
        .map(([id]) => id.replace(/-\d+T\d+$/, ''));

    it('adopts quotes and markets, and doubles nothing, wherever it was killed', async () => {
      let kills = 0;
      for (const [call, lost] of LOST_CALLS.entries()) {
        const demo = new SimulatedDemo({ seed: 21 + call });
        const { exchange } = demo;
        // The answer to one call after another is lost, and the process with it.
        let left = lost;
        exchange.loses = () => (left -= 1) === 0;
        await demo.run(9).catch(() => (kills += 1));
        exchange.loses = () => false;
        const again = new SimulatedDemo({ seed: 41 + call, exchange });
        for (let turn = 0; turn < 3; turn += 1) await again.turn();
        expect(openRounds(again), 'one of each series').to.have.members([
          'demo-rain',
          'demo-launch',
          'demo-ferry',
          'demo-vote',
        ]);
        for (const account of MAKERS) {
          const places = exchange.world
            .resting(account)
            .map(({ marketId, outcome, side }) => [marketId, (outcome === 'yes') === (side === 'buy')].join());
          expect(new Set(places).size, `${account}: one bid and one ask a market`).to.equal(places.length);
        }
      }
      expect(kills).to.equal(LOST_CALLS.length);
    });

    it('resolves what closed meanwhile, and values begin at the newest signals', async () => {
      const demo = new SimulatedDemo({ seed: 70 });
      const { exchange } = demo;
      await demo.run(2);
      exchange.world.nowMs += 60 * 60_000;
      exchange.world.closeDue();
      const closed = openRounds(demo).length;
      const again = new SimulatedDemo({ seed: 71, exchange });
      await again.turn(0);
      expect(closed).to.equal(4);
      expect(openRounds(again)).to.have.length(4);
      const [signal] = exchange.signals.slice(-1);
      expect(again.demo.valueOf(signal?.marketId ?? '')).to.be.closeTo(signal?.fairProb ?? NaN, 0.02);
    });
  });

  it('takes over a fair value that an operator cites', async () => {
    const demo = new SimulatedDemo({ seed: 80 });
    await demo.turn();
    const operator = demo.exchange.client('operator');
    await operator.request('recordSignal', {
      body: {
        externalId: 'own',
        source: 'A newspaper',
        headline: 'It will happen',
        citationUrl: 'https://example.org',
        publishedAt: new Date(demo.exchange.world.nowMs).toISOString(),
        marketId: 'market-3',
        fairProb: 0.9,
      },
    });
    await demo.run(1);
    expect(demo.demo.valueOf('market-3')).to.be.closeTo(0.9, 0.04);
    const market = demo.exchange.markets().find(({ id }) => id === 'market-3');
    expect(market?.probability).to.be.greaterThan(0.8);
  });

  it('does nothing in markets that are not of the demo', async () => {
    const demo = new SimulatedDemo({ seed: 81 });
    demo.exchange.world.list('real', 5_000);
    await demo.run(2);
    expect(demo.exchange.markets().find(({ id }) => id === 'real')).to.deep.include({
      bestYesAsk: null,
      bestYesBid: null,
      volume: 0,
    });
  });

  it('goes on after a failed read, and after a turn that was interrupted', async () => {
    const demo = new SimulatedDemo({ seed: 82 });
    let count = 0;
    demo.exchange.loses = () => (count += 1) % 97 === 0;
    let failed = 0;
    for (let turn = 0; turn < 100; turn += 1) await demo.turn().catch(() => (failed += 1));
    expect(failed).to.be.greaterThan(5);
    demo.exchange.loses = () => false;
    await demo.run(1);
    for (const { bestYesAsk, bestYesBid, id } of demo.exchange.markets()) {
      expect([bestYesBid, bestYesAsk], id).to.not.include(null);
    }
    expect(DEFAULT_DEMO_SETTINGS.makers).to.have.length(MAKERS.length);
  });
});
