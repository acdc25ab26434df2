import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';

const root = path.resolve(import.meta.dirname, '../..');
const full = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  spawnSync('bash', [path.join(root, '.ci/full'), ...args], {
    encoding: 'utf8',
    cwd: root,
    env: { ...process.env, ...env },
  });

describe('.ci/full', function () {
  this.timeout(30_000);

  it('names its stages, each benchmark among them as it is there', () => {
    const { status, stdout } = full(['--list']);
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
    const { status, stdout, stderr } = full(['upgrade', 'nonsense']);
    expect({ status, stdout }).to.deep.equal({ status: 2, stdout: '' });
    expect(stderr).to.match(/^There is no stage nonsense; there are: units sim fuzz images /);
  });

  it('ends with 0 if a slow machine has no time left for a benchmark, which it names', () => {
    const { status, stdout } = full(['bench-orders'], { FULL_MINUTES: '0' });
    expect(stdout).to.match(/^Left out:\n {2}the benchmark orders: the 0 minutes of this run are over\n$/m);
    expect(status).to.equal(0);
  });

  it('ends with 1 if no time is left for any other stage', () => {
    const { status, stdout } = full(['sim'], { FULL_MINUTES: '0' });
    expect(stdout).to.match(/^ {2}sim +LEFT OUT: the time is over\n$/m);
    expect(status).to.equal(1);
  });

  it('refuses a time limit that is not a number of minutes', () => {
    const { status, stdout, stderr } = full(['sim'], { FULL_MINUTES: '2h' });
    expect({ status, stdout, stderr }).to.deep.equal({
      status: 2,
      stdout: '',
      stderr: "FULL_MINUTES is a whole number of minutes, not '2h'\n",
    });
  });
});
