import { expect } from 'chai';
import { Pace } from '../../src/process/pace.ts';

describe('the pace of a backtest', () => {
  let usedMs: number;
  let pace: Pace;

  beforeEach(() => {
    usedMs = 500;
    pace = new Pace(() => usedMs);
  });

  /** Whether there is a rest: without one, the next moment is played in the same turn of the event loop. */
  async function rests(): Promise<boolean> {
    const resting = pace.rest().then(() => false);
    return Promise.race([resting, new Promise<boolean>((resolve) => setImmediate(resolve, true))]);
  }

  it('has no rest while the live exchange is idle', async () => {
    usedMs += 20;
    expect(await rests()).to.equal(false);
  });

  it('rests for 19 times the time that it worked while the live exchange is busy', async () => {
    pace.isLiveBusy = true;
    usedMs += 5;
    const begunMs = performance.now();
    await pace.rest();
    expect(performance.now() - begunMs).to.be.at.least(19 * 5 - 1);
    expect(await rests()).to.equal(false);
  });

  it('does not make up for what it worked while the live exchange was idle', async () => {
    usedMs += 20;
    await pace.rest();
    pace.isLiveBusy = true;
    expect(await rests()).to.equal(false);
  });

  it('works for two milliseconds before it rests, since a timer is no more exact', async () => {
    pace.isLiveBusy = true;
    usedMs += 1;
    expect(await rests()).to.equal(false);
    usedMs += 1;
    expect(await rests()).to.equal(true);
  });
});
