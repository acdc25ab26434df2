import { expect } from 'chai';
import { DayResults } from '../src/day-results.ts';
import { worldClient } from './fake-service.ts';
import { World } from './world.ts';

const MARKET = 'm';
const BUDGET_UNITS = 400_000;
const anchorAt = (anchorUnits: number) => ({ marketId: MARKET, anchorUnits, tickUnits: 100 });

describe("the house's result of a day", () => {
  let world: World;
  let results: DayResults;

  beforeEach(() => {
    world = new World(3);
    world.list(MARKET, 5000);
    for (const account of ['maker', 'taker', 'ann']) world.open(account);
    results = new DayResults(BUDGET_UNITS);
  });

  const trade = (buyer: string, seller: string, yesPrice: number, quantity: number): void => {
    world.place(seller, { marketId: MARKET, outcome: 'no', side: 'buy', priceUnits: 10_000 - yesPrice, quantity });
    world.place(buyer, { marketId: MARKET, outcome: 'yes', side: 'buy', priceUnits: yesPrice, quantity });
  };
  const read = async (into = results): Promise<void> => {
    for (const account of ['maker', 'taker']) await into.read(account, worldClient(world, account), world.nowMs);
  };

  it('is what its fills gained at the anchor, both bots together', async () => {
    trade('ann', 'maker', 5200, 10);
    trade('maker', 'taker', 4800, 30);
    await read();
    expect(results.resultUnits(anchorAt(5000))).to.equal(200 * 10);
    expect(results.resultUnits(anchorAt(6000))).to.equal(-800 * 10);
  });

  it('leaves no more room than the budget less the loss, however the shares stand', async () => {
    trade('ann', 'maker', 5000, 20);
    await read();
    expect(results.lossLimits(anchorAt(5000))).to.deep.equal({
      bidUnits: BUDGET_UNITS + 20 * 5000,
      askUnits: BUDGET_UNITS - 20 * 5000,
    });
    const loss = 20 * 4000;
    expect(results.lossLimits(anchorAt(9000))).to.deep.equal({
      bidUnits: BUDGET_UNITS - loss + 20 * 9000,
      askUnits: BUDGET_UNITS - loss - 20 * 1000,
    });
  });

  it('is found again after a restart', async () => {
    await read();
    trade('ann', 'maker', 5200, 10);
    await read();
    trade('taker', 'ann', 5500, 7);
    await read();
    const restarted = new DayResults(BUDGET_UNITS);
    await read(restarted);
    const anchor = anchorAt(6100);
    expect(restarted.resultUnits(anchor)).to.equal(results.resultUnits(anchor));
    expect(restarted.lossLimits(anchor)).to.deep.equal(results.lossLimits(anchor));
  });

  it('begins anew at 00:00 UTC, when shares held count from the anchor of that moment', async () => {
    trade('ann', 'maker', 5200, 10);
    await read();
    expect(results.resultUnits(anchorAt(5000))).to.equal(2000);
    world.nowMs += 24 * 60 * 60 * 1000;
    await read();
    expect(results.resultUnits(anchorAt(5000))).to.equal(0);
    expect(results.resultUnits(anchorAt(5300))).to.equal(-300 * 10);
  });
});
