import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { lowerSessionPriority } from '@paper/runtime/resources';

describe('the priority of a session', () => {
  it('is lowered with that of its process, since nice values count only within a session', async function () {
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    try {
      await once(child, 'spawn');
      const pid = child.pid ?? 0;
      lowerSessionPriority(pid, 'lowest');
      expect(getPriority(pid)).to.equal(constants.priority.PRIORITY_LOW);
      const autogroup = autogroupOf(pid);
      if (autogroup === '') this.skip();
      expect(autogroup).to.match(/^\/autogroup-\d+ nice 19\n$/);
      expect(autogroupOf(process.pid)).to.not.equal(autogroup);
    } finally {
      child.kill();
    }
  });
});

/** Empty where the kernel has no autogroups. */
function autogroupOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/autogroup`, 'utf8');
  } catch {
    return '';
  }
}
