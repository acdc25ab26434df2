import { expect } from 'chai';
import { lifetimeNodesAround } from '../src/models/orders/lifetime.ts';

const END = 40;

/** The one of a lifetime that the highest power of two divides, by looking at each. */
function nodeOf(first: number, last: number): number {
  const powerIn = (seq: number): number => (seq % 2 === 1 ? 0 : 1 + powerIn(seq / 2));
  let node = first;
  for (let seq = first; seq <= last; seq += 1) if (powerIn(seq) > powerIn(node)) node = seq;
  return node;
}

describe('where lifetimes around a sequence can have their node', () => {
  it('is one sequence for each power of two', () => {
    expect(lifetimeNodesAround(11, 20)).to.deep.equal([11, 10, 12, 8, 16]);
    expect(lifetimeNodesAround(1, 1)).to.deep.equal([1]);
    expect(lifetimeNodesAround(2 ** 40 + 1, 2 ** 41))
      .to.have.length(42)
      .and.include(2 ** 40);
  });

  it('has the node of every lifetime that the sequence is in', () => {
    for (let first = 1; first <= END; first += 1) {
      for (let last = first; last <= END; last += 1) {
        for (let seq = first; seq <= last; seq += 1) {
          expect(lifetimeNodesAround(seq, END)).to.include(nodeOf(first, last));
        }
      }
    }
  });
});
