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

  it('is healthy when the projection follows the journal and a process takes commands', async () => {
    expect(await looked(fresh, () => Promise.resolve(true))).to.equal(true);
  });
  it('is unhealthy when the projection is behind, no process takes commands, or neither can be read', async () => {
    expect(await looked(failing, () => Promise.resolve(true))).to.equal(false);
    expect(await looked(fresh, () => Promise.resolve(false))).to.equal(false);
    expect(await looked(fresh, failing)).to.equal(false);
  });
});
