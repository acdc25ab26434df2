import { FakeClock } from '@paper/testkit';
import { expect } from 'chai';
import { every } from '../src/index.ts';

describe('every so often', () => {
  it('works at once and then at whole intervals from the start, however late each was', () => {
    const clock = new FakeClock();
    const times: number[] = [];
    let lateMs = 0;
    const late = {
      monotonic: clock.monotonic,
      after: (ms: number, work: () => void) => clock.after(ms + (lateMs += 7), work),
    };
    const stop = every(2_000, () => times.push(clock.monotonic()), late);
    clock.advance(10_500);
    expect(times).to.deep.equal([0, 2_007, 4_014, 6_021, 8_028, 10_035]);
    stop();
    clock.advance(10_000);
    expect(times).to.have.length(6);
    expect(clock.waiting).to.equal(0);
  });

  it('does not work twice for one time when a timer is early', () => {
    const clock = new FakeClock();
    const times: number[] = [];
    const early = { monotonic: clock.monotonic, after: (ms: number, work: () => void) => clock.after(ms - 0.5, work) };
    every(2_000, () => times.push(clock.monotonic()), early);
    clock.advance(6_000);
    expect(times).to.deep.equal([0, 1_999.5, 3_999.5, 5_999.5]);
  });

  it('leaves out times that passed while the process stood still', () => {
    const clock = new FakeClock();
    const times: number[] = [];
    let standsStillMs = 5_000;
    const stood = {
      monotonic: clock.monotonic,
      after(ms: number, work: () => void) {
        const cancel = clock.after(ms + standsStillMs, work);
        standsStillMs = 0;
        return cancel;
      },
    };
    every(2_000, () => times.push(clock.monotonic()), stood);
    clock.advance(10_000);
    expect(times).to.deep.equal([0, 7_000, 8_000, 10_000]);
  });
});
