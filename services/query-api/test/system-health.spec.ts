import { expect } from 'chai';
import { setImmediate } from 'node:timers/promises';
import { watchSystemHealth } from '../src/system-health.ts';

/** The health after one check. */
async function looked(reached: () => Promise<number>, taken: () => Promise<boolean>): Promise<boolean> {
  const systemHealth = watchSystemHealth({ reached }, taken);
  expect(systemHealth.isHealthy()).to.equal(false);
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  systemHealth.stop();
  return systemHealth.isHealthy();
}

describe('whether the service is well', () => {
  const fresh = (): Promise<number> => Promise.resolve(7);
  const failing = (): Promise<never> => Promise.reject(new Error('away'));

  it('is so when the projection follows the journal and somebody takes commands', async () => {
    expect(await looked(fresh, () => Promise.resolve(true))).to.equal(true);
  });
  it('is not when the projection is behind, nobody takes commands, or that cannot be known', async () => {
    expect(await looked(failing, () => Promise.resolve(true))).to.equal(false);
    expect(await looked(fresh, () => Promise.resolve(false))).to.equal(false);
    expect(await looked(fresh, failing)).to.equal(false);
  });
});
