import { expect } from 'chai';
import { joinWants, NO_WANTS, planStreams } from '../../web/live/stream-plan.ts';

const ids = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `m${String(from + index).padStart(4, '0')}`);

describe('the plan of connections for all tabs', () => {
  it('has none where nothing is wanted', () => {
    expect(planStreams([NO_WANTS])).to.deep.equal({ pulses: [], bookIds: [], accountId: null, isCrowded: false });
  });

  it('has one for tabs that want the same markets, in whatever order', () => {
    const { pulses } = planStreams([
      { ...NO_WANTS, marketIds: ['b', 'a'] },
      { ...NO_WANTS, marketIds: ['a', 'c'] },
    ]);
    expect(pulses).to.deep.equal([['a', 'b', 'c']]);
  });

  it('has at most two of 100 markets, and serves the tab first that changed last', () => {
    const newest = ids(100, 500);
    const { isCrowded, pulses } = planStreams([
      { ...NO_WANTS, marketIds: newest },
      { ...NO_WANTS, marketIds: ids(150) },
    ]);
    expect(pulses.map((list) => list.length)).to.deep.equal([100, 100]);
    expect(pulses.flat()).to.include.members(newest);
    expect(isCrowded).to.equal(true);
  });

  it('has two books at most, so that a browser has a connection left for requests', () => {
    const tabs = ['a', 'b', 'c'].map((id) => ({ ...NO_WANTS, bookIds: [id] }));
    expect(planStreams(tabs)).to.deep.include({ bookIds: ['a', 'b'], isCrowded: true });
  });

  it('joins what the parts of a page want', () => {
    expect(
      joinWants([
        { marketIds: ['a'], bookIds: [], accountId: null },
        { marketIds: ['a', 'b'], bookIds: ['c'], accountId: 'me' },
      ]),
    ).to.deep.equal({ marketIds: ['a', 'b'], bookIds: ['c'], accountId: 'me' });
  });
});
