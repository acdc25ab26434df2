import { expect } from 'chai';
import fc from 'fast-check';
import { liveRows, renderedRows } from '../../web/ui/row-window.ts';

const WINDOW = { count: 1_000, rowPx: 50, scrolledPx: 0, windowPx: 800 };

describe('the rows of a long list', () => {
  it('are, at the top, those of the window and some below it', () => {
    expect(renderedRows(WINDOW)).to.deep.equal({ from: 0, to: 24 });
  });

  it('are some above and below the window after scrolling', () => {
    expect(renderedRows({ ...WINDOW, scrolledPx: 5_000 })).to.deep.equal({ from: 92, to: 124 });
  });

  it('are none of an empty list', () => {
    expect(renderedRows({ ...WINDOW, count: 0 })).to.deep.equal({ from: 0, to: 0 });
  });

  it('contain every row in the window, wherever it is, and few more', () => {
    fc.assert(
      fc.property(
        fc.nat(5_000),
        fc.integer({ min: 30, max: 120 }),
        fc.integer(),
        fc.nat(3_000),
        (count, rowPx, at, windowPx) => {
          const scrolledPx = at % (count * rowPx + 1);
          const { from, to } = renderedRows({ count, rowPx, scrolledPx, windowPx });
          const first = Math.min(count, Math.max(0, Math.floor(scrolledPx / rowPx)));
          const last = Math.min(count, Math.max(0, Math.ceil((scrolledPx + windowPx) / rowPx)));
          expect(from).to.be.at.most(first);
          expect(to).to.be.at.least(last).and.at.most(count);
          expect(to - from).to.be.at.most(Math.ceil(windowPx / rowPx) + 26);
        },
      ),
    );
  });
});

describe('the rows that are followed live', () => {
  it('stay the same while they contain what is shown', () => {
    const before = { from: 0, to: 80 };
    expect(liveRows(before, { from: 40, to: 72 }, 1_000)).to.equal(before);
  });

  it('move around what is shown once it leaves them', () => {
    expect(liveRows({ from: 0, to: 80 }, { from: 60, to: 92 }, 1_000)).to.deep.equal({ from: 52, to: 100 });
  });

  it('end with the list', () => {
    expect(liveRows({ from: 0, to: 80 }, { from: 970, to: 1_000 }, 1_000)).to.deep.equal({ from: 962, to: 1_000 });
  });

  it('are all of a short list, also after it became shorter', () => {
    expect(liveRows({ from: 920, to: 1_000 }, { from: 0, to: 5 }, 5)).to.deep.equal({ from: 0, to: 5 });
  });
});
