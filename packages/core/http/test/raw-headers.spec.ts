import { expect } from 'chai';
import { timesGiven } from '../src/raw-headers.ts';

describe('headers as they were sent', () => {
  it('counts a name in any case, and no value', () => {
    const raw = ['Host', 'a', 'HOST', 'b', 'x-of', 'host', 'hostname', 'c'];
    expect(timesGiven(raw, 'host')).to.equal(2);
  });

  it('counts nothing where the header is not given', () => {
    expect(timesGiven(['accept', '*/*'], 'host')).to.equal(0);
    expect(timesGiven([], 'host')).to.equal(0);
  });
});
