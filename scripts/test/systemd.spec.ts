import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isInstalled } from '@paper/runtime';
import { expect } from 'chai';

const root = path.resolve(import.meta.dirname, '../..');
const unit = path.join(root, 'infra/systemd/paper-trading.service');

describe('the unit of systemd', function () {
  this.timeout(20_000);

  before(function () {
    if (!isInstalled('systemd-analyze')) this.skip();
  });

  it('is valid', () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    expect([status, stderr]).to.deep.equal([0, '']);
  });

  it('may do as little as the page says', () => {
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=yes', unit], { encoding: 'utf8' });
    const [, exposure] = /Overall exposure level for paper-trading\.service: (\S+)/.exec(stdout) ?? [];
    const [, promised] =
      /rates the unit (\S+)/.exec(readFileSync(path.join(root, 'docs/operate/systemd.md'), 'utf8')) ?? [];
    // Later versions of systemd may know of more.
    expect(Number(exposure)).to.be.at.most(Number(promised) + 0.5);
  });
});
