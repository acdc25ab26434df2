import type { LedgerEntryBody } from '@paper/contracts/journal';
import { expect } from 'chai';
import { EquityFold, thinned } from '../../web/pages/portfolio/equity.ts';

const entry = (change: Partial<LedgerEntryBody>): LedgerEntryBody => ({
  seq: 1,
  eventId: 'e1',
  type: 'OrderFilled',
  createdAt: '2026-11-23T10:00:00.000Z',
  accountId: 'ann',
  cash: 0,
  marketId: 'm',
  outcome: 'yes',
  shares: 0,
  price: null,
  orderId: null,
  ...change,
});

const opened = entry({ type: 'AccountOpened', cash: 10_000, marketId: null, outcome: null });

function equityOf(...entries: readonly LedgerEntryBody[]): readonly (readonly [number, number, number])[] {
  const fold = new EquityFold();
  for (const each of entries) fold.take(each);
  return fold.points.map(({ seq, cash, equity }) => [seq, cash, equity]);
}

describe('the equity of a ledger', () => {
  it('given a buy, then cash falls and equity stays', () => {
    const bought = entry({ seq: 5, cash: -4.1, shares: 10, price: 0.41 });
    expect(equityOf(opened, bought)).to.deep.equal([
      [1, 10_000, 10_000],
      [5, 9_995.9, 10_000],
    ]);
  });

  it('given a second trade at another price, then all shares of the market are valued at it', () => {
    const bought = entry({ seq: 5, cash: -4.1, shares: 10, price: 0.41 });
    const sold = entry({ seq: 6, cash: 2.5, shares: -5, price: 0.5 });
    expect(equityOf(opened, bought, sold).at(-1)).to.deep.equal([6, 9_998.4, 10_000.9]);
  });

  it('given NO shares, then they are worth 1 minus the YES price', () => {
    const no = entry({ seq: 5, outcome: 'no', cash: -6, shares: 10, price: 0.6 });
    const yes = entry({ seq: 6, cash: -0.5, shares: 1, price: 0.5 });
    expect(equityOf(opened, no, yes).at(-1)).to.deep.equal([6, 9_993.5, 9_999]);
  });

  it('given a settlement, then the shares are gone and their payout is cash', () => {
    const bought = entry({ seq: 5, cash: -4.1, shares: 10, price: 0.41 });
    const settled = entry({ seq: 9, type: 'PositionSettled', cash: 10, shares: -10, price: 1 });
    expect(equityOf(opened, bought, settled).at(-1)).to.deep.equal([9, 10_005.9, 10_005.9]);
  });

  it('given a merge, then its two entries are one point, and their half dollars are no price', () => {
    const yes = entry({ seq: 5, cash: -4, shares: 10, price: 0.4 });
    const no = entry({ seq: 6, outcome: 'no', cash: -3, shares: 5, price: 0.6 });
    const merged = [
      entry({ seq: 7, type: 'SharesMerged', cash: 2.5, shares: -5, price: 0.5 }),
      entry({ seq: 7, type: 'SharesMerged', outcome: 'no', cash: 2.5, shares: -5, price: 0.5 }),
    ];
    expect(equityOf(opened, yes, no, ...merged)).to.deep.equal([
      [1, 10_000, 10_000],
      [5, 9_996, 10_000],
      [6, 9_993, 10_000],
      [7, 9_998, 10_000],
    ]);
  });

  it('given binary fractions, then the sum has no rounding error', () => {
    const trades = Array.from({ length: 1_000 }, (_, index) =>
      entry({ seq: 2 + index, cash: -0.1, shares: 1, price: 0.1 }),
    );
    expect(equityOf(opened, ...trades).at(-1)).to.deep.equal([1_001, 9_900, 10_000]);
  });

  it('thins points evenly, and keeps the first and the last', () => {
    const fold = new EquityFold();
    for (let seq = 1; seq <= 11; seq += 1) fold.take(entry({ seq }));
    expect(thinned(fold.points, 3).map(({ seq }) => seq)).to.deep.equal([1, 6, 11]);
    expect(thinned(fold.points, 11)).to.equal(fold.points);
  });
});
