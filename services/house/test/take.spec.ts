import { expect } from 'chai';
import fc from 'fast-check';
import { createRandom } from '@paper/testkit';
import { Budget, LossBudgets } from '../src/budget.ts';
import { edgeUnits } from '../src/quotes.ts';
import { DEFAULT_HOUSE_SETTINGS as settings } from '../src/settings.ts';
import { nextTake } from '../src/take.ts';

const HOUR = 3_600_000;

describe("the taker's orders", () => {
  const anchor = { marketId: 'm', anchorUnits: 5000, tickUnits: 100 };
  const atMost = (edgeUnits: number) => ({ askUnits: Infinity, bidUnits: Infinity, edgeUnits });
  const numbers =
    (...list: number[]) =>
    () =>
      list.shift() ?? 0;

  it('are small, up or down, at most the edge away', () => {
    expect(nextTake(anchor, { yes: 0, no: 0 }, atMost(1e9), settings, numbers(0, 0.99))).to.deep.equal({
      outcome: 'yes',
      side: 'buy',
      priceUnits: 5200,
      quantity: 5,
    });
    expect(nextTake(anchor, { yes: 0, no: 0 }, atMost(1e9), settings, numbers(0.9, 0))).to.deep.equal({
      outcome: 'no',
      side: 'buy',
      priceUnits: 5200,
      quantity: 1,
    });
  });
  it('sell what is held before they buy the other outcome', () => {
    expect(nextTake(anchor, { yes: 9, no: 0 }, atMost(1e9), settings, numbers(0.9, 0.99))).to.deep.include({
      outcome: 'yes',
      side: 'sell',
      priceUnits: 4800,
    });
  });
  it('only go back where too much is held', () => {
    expect(nextTake(anchor, { yes: 100, no: 0 }, atMost(1e9), settings, numbers(0.99))).to.include({
      side: 'sell',
      outcome: 'yes',
    });
    expect(nextTake(anchor, { yes: 0, no: 100 }, atMost(1e9), settings, numbers(0.99))).to.include({
      side: 'sell',
      outcome: 'no',
    });
  });
  it('stop with the budget', () => {
    expect(nextTake(anchor, { yes: 0, no: 0 }, atMost(199), settings, numbers(0, 0.99))).to.equal(null);
    expect(nextTake(anchor, { yes: 0, no: 0 }, atMost(599), settings, numbers(0, 0.99))).to.include({ quantity: 2 });
  });
  it("keep the taker's edge where it is no whole number of ticks: the price is the tick nearer to the anchor", () => {
    const rules = { ...settings, takeEdgeUnits: 150 };
    const held = { yes: 0, no: 0 };
    expect(nextTake(anchor, held, atMost(1e9), rules, numbers(0, 0))).to.include({ outcome: 'yes', priceUnits: 5100 });
    expect(nextTake(anchor, held, atMost(1e9), rules, numbers(0.9, 0))).to.include({ outcome: 'no', priceUnits: 5100 });
  });
  it("keep the loss budget's floor: a share that the budget does not wholly cover is not bought", () => {
    const held = { yes: 0, no: 0 };
    expect(nextTake(anchor, held, atMost(-1), settings, numbers(0, 0.99))).to.equal(null);
    expect(nextTake(anchor, held, atMost(0), settings, numbers(0, 0.99))).to.equal(null);
    expect(nextTake(anchor, held, atMost(399.9), settings, numbers(0, 0.99))).to.include({ quantity: 1 });
  });
  it('are no larger than what the day may still lose, whatever the market comes to', () => {
    const held = { yes: 0, no: 0 };
    const left = { ...atMost(1e9), bidUnits: 2 * 5200 + 100, askUnits: 5199 };
    expect(nextTake(anchor, held, left, settings, numbers(0, 0.99))).to.include({ outcome: 'yes', quantity: 2 });
    expect(nextTake(anchor, held, left, settings, numbers(0.9, 0.99))).to.equal(null);
  });
  it('never cost more against the anchor than is left, wherever it is', () => {
    const random = createRandom(5);
    const unit = () => random.next() / 2 ** 32;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), fc.nat(200), fc.nat(200), fc.nat(2000), (cents, yes, no, left) => {
        const take = nextTake({ ...anchor, anchorUnits: cents * 100 }, { yes, no }, atMost(left), settings, unit);
        if (take === null) return;
        const edge = edgeUnits(take, cents * 100);
        expect(edge).to.be.at.least(-settings.takeEdgeUnits);
        expect(-edge * take.quantity).to.be.at.most(left);
        if (take.side === 'sell') expect(take.quantity).to.be.at.most(take.outcome === 'yes' ? yes : no);
      }),
      { seed: 12, numRuns: 2000 },
    );
  });
});

describe('the loss budgets', () => {
  it('come back evenly within an hour', () => {
    const budget = new Budget(1000);
    budget.spend(1000, 0);
    expect([budget.leftUnits(0), budget.leftUnits(HOUR / 4), budget.leftUnits(2 * HOUR)]).to.deep.equal([0, 250, 1000]);
  });
  it('never exceed their capacity: at most the spent amount is given back', () => {
    const budget = new Budget(1000);
    budget.giveBack(500, 0);
    expect(budget.leftUnits(0)).to.equal(1000);
  });
  it('are overspent by no more than was sent, and come back from there', () => {
    const budget = new Budget(1000);
    budget.spend(1500, 0);
    expect([budget.leftUnits(0), budget.leftUnits(HOUR / 2), budget.leftUnits(HOUR)]).to.deep.equal([-500, 0, 500]);
  });
  it('a clock that goes back refills nothing', () => {
    const budget = new Budget(1000);
    budget.spend(1000, HOUR);
    expect(budget.leftUnits(0)).to.equal(0);
    expect(budget.leftUnits(HOUR)).to.equal(0);
  });
  it('bound each market and the house, and what the maker earned has not left the house', () => {
    const losses = new LossBudgets(500, 800);
    losses.addLoss('a', 500, 0);
    expect([losses.leftUnits('a', 0), losses.leftUnits('b', 0)]).to.deep.equal([0, 300]);
    losses.addGain(400, 0);
    expect([losses.leftUnits('a', 0), losses.leftUnits('b', 0)]).to.deep.equal([0, 500]);
    losses.reduceLoss('a', 100, 0);
    expect(losses.leftUnits('a', 0)).to.equal(100);
    losses.addLoss('b', -50, 0);
    losses.addGain(-50, 0);
    expect(losses.leftUnits('b', 0)).to.equal(500);
  });
});
