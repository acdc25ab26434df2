import { expect } from 'chai';
import { joinWants, NO_WANTS, planStreams } from '../../web/live/stream-plan.ts';

const ids = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `m${String(from + index).padStart(4, '0')}`);

describe('the plan of the connection for all tabs', () => {
  it('has no stream where nothing is wanted', () => {
    expect(planStreams([NO_WANTS])).to.deep.equal({ ...NO_WANTS, isCrowded: false });
  });

  it('is the same for tabs that want the same markets, in whatever order', () => {
    const { marketIds } = planStreams([
      { ...NO_WANTS, marketIds: ['b', 'a'] },
      { ...NO_WANTS, marketIds: ['a', 'c'] },
    ]);
    expect(marketIds).to.deep.equal(['a', 'b', 'c']);
  });

  it('has at most 200 markets, and serves the tab first that changed last', () => {
    const newest = ids(100, 500);
    const { isCrowded, marketIds } = planStreams([
      { ...NO_WANTS, marketIds: newest },
      { ...NO_WANTS, marketIds: ids(150) },
    ]);
    expect(marketIds).to.have.length(200);
    expect(marketIds).to.include.members(newest);
    expect(isCrowded).to.equal(true);
  });

  it('has no more ids than an address has room for', () => {
    const long = ids(200).map((id) => id.padEnd(100, 'x'));
    const { isCrowded, marketIds } = planStreams([{ ...NO_WANTS, marketIds: long }]);
    expect(marketIds).to.deep.equal(long.slice(0, 97));
    expect(isCrowded).to.equal(true);
  });

  it('has four books at most', () => {
    const tabs = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ ...NO_WANTS, bookIds: [id] }));
    expect(planStreams(tabs)).to.deep.include({ bookIds: ['a', 'b', 'c', 'd'], isCrowded: true });
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
