import type { MarketBody, PulseEntryBody } from '@paper/contracts/markets';
import { expect } from 'chai';
import { LiveEntries } from '../../web/live/live-entries.ts';
import { withShortLast } from '../../web/pages/markets/market-list.ts';
import { sparkPath } from '../../web/pages/markets/spark-path.ts';

const entry = (id: string, probability: number, seq: number): PulseEntryBody => ({
  ...{ id, probability, seq, volume: 0, status: 'active' },
  ...{ bestYesBid: null, bestYesAsk: null, lastTradePrice: null },
});

describe('the rows of the list of markets', () => {
  it('get a pulse only where it changes their figures', () => {
    const entries = new LiveEntries();
    const calls: string[] = [];
    const stop = entries.watch('a', () => calls.push('a'));
    entries.watch('b', () => calls.push('b'));
    entries.take([entry('a', 0.5, 1), entry('b', 0.5, 1), entry('c', 0.5, 1)]);
    entries.take([entry('a', 0.5, 1), entry('b', 0.6, 2)]);
    expect(calls).to.deep.equal(['a', 'b', 'b']);
    stop();
    entries.take([entry('a', 0.7, 3)]);
    expect(calls).to.have.length(3);
    expect(entries.get('a')?.probability).to.equal(0.7);
    expect(entries.get('d')).to.equal(null);
  });

  it('begin with the markets that live for more than a day, in the order in which they were read', () => {
    const market = (id: string, closesAt: string) =>
      ({ id, createdAt: '2026-11-26T02:00:00.000Z', closesAt }) as MarketBody;
    const [day, year] = ['2026-11-27T02:00:00.000Z', '2027-11-26T03:00:00.000Z'];
    const sorted = withShortLast([market('a', day), market('b', year), market('c', day), market('d', year)]);
    expect(sorted.map(({ id }) => id)).to.deep.equal(['b', 'd', 'a', 'c']);
  });

  it('draw the last day from the left edge to the right, the lowest value at the bottom', () => {
    expect(sparkPath([0.2, 0.6, 0.4])).to.equal('M1 26L48 2L95 14');
    // A tick is no mountain.
    expect(sparkPath([0.5, 0.51])).to.equal('M1 17L95 11');
    expect(sparkPath([0.5, 0.5])).to.equal('M1 14L95 14');
  });
});
