import { expect } from 'chai';
import { DecisionCutter } from '../src/engine/decisions.ts';
import { ProjectionFault } from '../src/engine/faults.ts';
import { journalEvents, opened } from './events.ts';

const events = (...sizes: number[]) =>
  journalEvents(sizes.map((size) => Array.from({ length: size }, () => opened('a'))));

/** The sizes of the batches that these decisions are cut into. */
function cut(batchSize: number, ...decisions: number[]): number[] {
  const cutter = new DecisionCutter(batchSize);
  const batches: number[] = [];
  for (const event of events(...decisions)) {
    if (cutter.mustCutBefore(event)) {
      batches.push(cutter.batch);
      cutter.cut();
    }
    cutter.take(event);
  }
  return [...batches, cutter.batch];
}

describe('cutting events into batches of whole decisions', () => {
  it('fills a batch with as many decisions as fit', () => {
    expect(cut(5, 2, 2, 1, 3, 1)).to.deep.equal([5, 4]);
  });

  it('gives a decision that is larger than a batch whole, and alone', () => {
    expect(cut(2, 1, 5, 1, 1)).to.deep.equal([1, 5, 2]);
  });

  it('fills the next batch to the size that it is given', () => {
    const cutter = new DecisionCutter(4);
    const [first, second, third] = events(2, 2, 2).filter(({ decisionEvents }) => decisionEvents !== null);
    cutter.take(first!);
    cutter.take(first!);
    expect(cutter.mustCutBefore(second!)).to.equal(false);
    cutter.cut(3);
    cutter.take(second!);
    cutter.take(second!);
    expect(cutter.mustCutBefore(third!)).to.equal(true);
  });

  it('may cut where a decision ends, and nowhere else', () => {
    const cutter = new DecisionCutter(10);
    const ends = [cutter.mayCut];
    for (const event of events(2, 1, 3)) {
      cutter.take(event);
      ends.push(cutter.mayCut);
    }
    expect(ends).to.deep.equal([true, false, true, true, false, false, true]);
  });

  it('refuses to begin in the middle of a decision', () => {
    const [, second] = events(3);
    expect(() => new DecisionCutter(10).mustCutBefore(second!)).to.throw(
      ProjectionFault,
      'sequence 2 begins no decision',
    );
  });
});
