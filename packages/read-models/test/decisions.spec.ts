import { expect } from 'chai';
import { DecisionCutter } from '../src/projection/decisions.ts';
import { ProjectionFault } from '../src/projection/faults.ts';
import { journalEvents, opened } from './events.ts';

const events = (...sizes: number[]) =>
  journalEvents(sizes.map((size) => Array.from({ length: size }, () => opened('a'))));
const sizes = (batches: readonly (readonly unknown[])[]) => batches.map((batch) => batch.length);

describe('cutting events into batches of whole decisions', () => {
  it('fills a batch with as many decisions as fit', () => {
    expect(sizes(new DecisionCutter(5).take(events(2, 2, 1, 3, 1)))).to.deep.equal([5, 4]);
  });

  it('gives a decision that is larger than a batch whole, and alone', () => {
    expect(sizes(new DecisionCutter(2).take(events(1, 5, 1, 1)))).to.deep.equal([1, 5, 2]);
  });

  it('keeps the beginning of a decision until its end is there', () => {
    const all = events(2, 3);
    const cutter = new DecisionCutter(10);
    expect(cutter.take(all.slice(0, 3))).to.deep.equal([all.slice(0, 2)]);
    expect(cutter.take(all.slice(3, 4))).to.deep.equal([]);
    expect(cutter.take(all.slice(4))).to.deep.equal([all.slice(2)]);
  });

  it('gives nothing for nothing', () => {
    expect(new DecisionCutter(10).take([])).to.deep.equal([]);
  });

  it('refuses to begin in the middle of a decision', () => {
    expect(() => new DecisionCutter(10).take(events(3).slice(1))).to.throw(
      ProjectionFault,
      'sequence 2 begins no decision',
    );
  });
});
