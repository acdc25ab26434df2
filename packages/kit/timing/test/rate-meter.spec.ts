import { expect } from 'chai';
import { formatDuration, RateMeter } from '../src/index.ts';

describe('the rate meter', () => {
  it('gives the rate of the last ten seconds, and the time that is left at it', () => {
    const meter = new RateMeter();
    expect(meter.msTo(100)).to.equal(null);
    // Slow for a minute, then fast.
    for (let second = 0; second <= 60; second += 1) meter.add(1_000 * second, second);
    for (let second = 61; second <= 75; second += 1) meter.add(1_000 * second, 60 + 100 * (second - 60));
    expect(meter.perSecond).to.equal(100);
    expect(meter.msTo(60 + 1_500 + 200)).to.equal(2_000);
    expect(meter.msTo(10)).to.equal(0);
  });

  it('writes times as people do', () => {
    expect([null, 0, 12_400, 200_000, 3_900_000].map(formatDuration)).to.deep.equal([
      '?',
      '0 s',
      '12 s',
      '3 min 20 s',
      '1 h 05 min',
    ]);
  });
});
