import { expect } from 'chai';
import { seededNumbers } from '../src/seeded-numbers.ts';

describe('seeded numbers', () => {
  it('follow from the seed alone', () => {
    const first = (seed: number): readonly number[] => Array.from({ length: 3 }, seededNumbers(seed));
    expect(first(1)).to.deep.equal([0.6270739405881613, 0.002735721180215478, 0.5274470399599522]);
    expect(first(1)).to.deep.equal(first(1));
    expect(first(2)).not.to.deep.equal(first(1));
  });
});
