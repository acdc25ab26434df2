import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';

const root = path.resolve(import.meta.dirname, '../..');
const full = (...args: readonly string[]) =>
  spawnSync('bash', [path.join(root, '.ci/full'), ...args], { encoding: 'utf8', cwd: root });

describe('.ci/full', function () {
  this.timeout(30_000);

  it('names its stages, each benchmark among them as it is there', () => {
    const { status, stdout } = full('--list');
    const stages = stdout.trim().split('\n');
    expect(status).to.equal(0);
    expect(stages).to.include.members([
      'tests',
      'units',
      'upgrade',
      'images',
      'power',
      'chaos',
      'disk-full',
      'backtests',
      'alerts',
      'rolling',
      'clients',
      'sim',
      'fuzz',
      'eventstoredb',
    ]);
    const benches = stages.filter((stage) => stage.startsWith('bench-')).map((stage) => stage.slice('bench-'.length));
    expect(benches).to.have.members([
      'audit',
      'backtest',
      'batch',
      'candles',
      'commands',
      'demo',
      'exchange',
      'exports',
      'leaderboard',
      'neighbour',
      'orders',
      'portal',
      'reads',
      'rebuild',
      'restore',
      'startup',
      'wirings',
    ]);
    for (const name of benches) {
      expect(existsSync(path.join(root, `packages/testing/bench/src/benchmarks/${name}.ts`)), name).to.equal(true);
    }
  });

  it('runs nothing for an unknown stage', () => {
    const { status, stdout, stderr } = full('upgrade', 'nonsense');
    expect({ status, stdout }).to.deep.equal({ status: 2, stdout: '' });
    expect(stderr).to.match(/^There is no stage nonsense; there are: upgrade power chaos sim fuzz /);
  });
});
