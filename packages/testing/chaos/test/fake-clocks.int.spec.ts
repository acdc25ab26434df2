import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { FakeClocks } from '../src/fake-clocks.ts';

describe('the clocks that chaos shows', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'fake-clocks-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are two: of a process, and of what it starts by setpriv in an environment of its own', async function () {
    const clocks = FakeClocks.make(path.join(folder, 'clocks'));
    if (!(clocks instanceof FakeClocks)) return this.skip();
    const program = `
      const { execFileSync } = require('node:child_process');
      const env = { PATH: process.env.PATH };
      const other = execFileSync('setpriv', ['--', 'date', '+%s'], { encoding: 'utf8', env });
      console.log(JSON.stringify([Date.now() / 1000, Number(other)]));`;
    /** The offsets of both clocks in whole hours. */
    const seen = (): readonly number[] => {
      const env = { ...process.env, ...clocks.env };
      const seconds = JSON.parse(
        execFileSync(process.execPath, ['-e', program], { encoding: 'utf8', env }),
      ) as number[];
      return seconds.map((one) => Math.round((one - Date.now() / 1_000) / 3_600) || 0);
    };
    expect(seen()).to.deep.equal([0, 0]);
    clocks.set({ machineS: -7_200, processS: 3_600 });
    expect(seen()).to.deep.equal([1, -2]);
    clocks.sweep();
  });
});
