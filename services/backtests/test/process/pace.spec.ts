import { expect } from 'chai';
import { Pace } from '../../src/process/pace.ts';

/** Uses the processor for a time in ms. */
function work(ms: number): void {
  const before = process.cpuUsage();
  const usedMs = (): number => process.cpuUsage(before).user / 1_000;
  while (usedMs() < ms);
}

/** Returns for how many ms a rest took. */
async function restOf(pace: Pace): Promise<number> {
  const begunMs = performance.now();
  await pace.rest();
  return performance.now() - begunMs;
}

/** Whether there is a rest: without one, the next moment is played in the same turn of the event loop. */
async function restsAtOnce(pace: Pace): Promise<boolean> {
  const resting = pace.rest().then(() => false);
  return Promise.race([resting, new Promise<boolean>((resolve) => setImmediate(resolve, true))]);
}

describe('the pace of a backtest', () => {
  it('has no rest while the live exchange is idle', async () => {
    const pace = new Pace();
    work(20);
    expect(await restsAtOnce(pace)).to.equal(false);
  });

  it('rests for 19 times the time that it worked while the live exchange is busy', async () => {
    const pace = new Pace();
    pace.isLiveBusy = true;
    work(5);
    expect(await restOf(pace)).to.be.at.least(19 * 5 - 1);
  });

  it('does not make up for what it worked while the live exchange was idle', async () => {
    const pace = new Pace();
    work(20);
    await pace.rest();
    pace.isLiveBusy = true;
    expect(await restsAtOnce(pace)).to.equal(false);
  });

  it('works for some moments before it rests, since a timer is no more exact', async () => {
    const pace = new Pace();
    pace.isLiveBusy = true;
    expect(await restsAtOnce(pace)).to.equal(false);
  });
});
