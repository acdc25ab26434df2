import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { killAtExit } from '@paper/runtime';
import { eventually, longTest, scaledMs } from '@paper/testkit';
import { expect } from 'chai';
import { environmentOf, processesOf } from '../run/leftovers.mjs';
import { factorOf } from '../run/machine.mjs';
import { isLong, itemsOf, LEFT_TO_CI, LEFT_TO_FULL } from '../run/test-items.mjs';
import { createQueue } from '../run/test-queue.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const fixture = (name: string): string => `scripts/test/failing-suites/${name}.ts`;

interface Left {
  readonly pid: number;
  /** The postmaster's pid. */
  readonly postgres: number;
}

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a run of the tests', function () {
  this.timeout(60_000);
  let folder: string;

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'test-run-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Starts node on a program in a process group of its own, and collects the output of it and its descendants. */
  const start = (args: readonly string[]) => {
    const run = randomUUID();
    const reached = path.join(folder, run);
    const child = spawn(process.execPath, args, {
      cwd: root,
      // These suites start no service, so nothing has to be built.
      env: {
        ...process.env,
        ...environmentOf(run),
        NO_COLOR: '1',
        PAPER_BUILT: root,
        REACHED: reached,
        TEST_DATABASE_URL: '',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    killAtExit(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    return { child, closed: once(child, 'close'), output: () => output, reached, run };
  };
  type Started = ReturnType<typeof start>;
  const leftIn = (output: string): Left[] =>
    [...output.matchAll(/^LEFT (.*)$/gm)].map(([, json = '']) => JSON.parse(json) as Left);

  /** The output ends only when the last process that holds it open has ended. */
  const expectNothingLeft = async ({ child, closed, output, run }: Started, closingLine: RegExp): Promise<void> => {
    await closed;
    expect(child.exitCode).to.equal(1);
    expect(output().trimEnd().split('\n').at(-1)).to.match(closingLine);
    const left = leftIn(output());
    expect(left).not.to.deep.equal([]);
    for (const { postgres } of left) await eventually('its Postgres is gone', () => !lives(postgres));
    await eventually('its processes are gone', () => processesOf(run).length === 0);
    for (const { pid } of left) expect(output()).to.include(`\n  ${pid} sh -c trap`);
  };

  const single = (name: string): Started => start(['scripts/run.mjs', 'test', fixture(name)]);
  /** A run of these suites as items of a queue. */
  const queued = (names: readonly string[], { workers = 2 } = {}): Started => {
    const items = names.map((name) => ({ files: [fixture(name)], isUnit: true }));
    return start([
      '--input-type=module',
      '--eval',
      `import { runQueue } from './scripts/run/test-queue.mjs';
      process.exitCode = await runQueue(process.cwd(), [], ${JSON.stringify(items)}, ${workers});`,
    ]);
  };

  const FAILURES = [
    ['before-hook', '0 passed, 1 failed, 0 skipped'],
    ['test', '1 passed, 1 failed, 0 skipped'],
    ['after-hook', '2 passed, 1 failed, 0 skipped'],
  ] as const;
  for (const [name, closingLine] of FAILURES) {
    it(`ends after a failure in a ${name}: a process and its Postgres stayed for minutes`, async function () {
      // A run in parts, below, has one of them in each run.
      longTest(this);
      await expectNothingLeft(single(name), new RegExp(`^${closingLine}$`));
    });
  }

  it('ends after failures in items, though a process of a test holds the output of its worker open', async () => {
    const started = queued(['before-hook', 'test']);
    await expectNothingLeft(started, /^1 passed, 2 failed, 0 skipped$/);
    const [output = '', again = ''] = started.output().split('The failures again:');
    for (const name of ['before-hook', 'test']) {
      // The item's output is in one piece, and its failure is told once more.
      expect(output).to.match(
        new RegExp(`\\n${fixture(name)} \\(\\S+ s\\)\n  a suite whose ${name.replace('-', ' ')}\nLEFT `),
      );
      expect(again)
        .to.include(`\n${fixture(name)} (`)
        .and.include(`a suite whose ${name.replace('-', ' ')}\n`);
    }
  });

  it('ends at a signal without leftovers, and counts the tests so far', async () => {
    const started = queued(['nothing-ends']);
    // The test before it has been counted by then.
    await eventually('the test that does not end runs', () => existsSync(started.reached));
    started.child.kill('SIGTERM');
    await expectNothingLeft(started, /^1 passed, 1 failed, 0 skipped$/);
  });

  it('counts a process that dies as a failure, names its specs, and runs the others', async () => {
    const started = queued(['process-ends', 'not-loadable', 'test'], { workers: 1 });
    await expectNothingLeft(started, /^1 passed, 3 failed, 0 skipped$/);
    const [, again = ''] = started.output().split('The failures again:');
    expect(again).to.match(
      new RegExp(
        `\\n${fixture('process-ends')} .*\n  1 failing\n\n  1\\) the process of these specs was ended by SIGKILL\n`,
      ),
    );
    expect(again).to.include(
      `  1) ${fixture('not-loadable')}\n     cannot be loaded:\nError: this file cannot be loaded\n`,
    );
  });

  it('has every spec in one item, which is a spec or those that share an exchange', () => {
    const { lookupFiles } = createRequire(import.meta.url)('mocha/lib/cli') as {
      readonly lookupFiles: (glob: string) => readonly string[];
    };
    const items = itemsOf(root);
    const specs = lookupFiles('{packages/*,packages/*/*,services/*,scripts}/test/**/*.spec.ts');
    expect(specs.length).to.be.greaterThan(300);
    expect(items.flatMap(({ files }) => files).sort()).to.deep.equal([...specs].sort());
    const sharing = specs.filter((file) =>
      /^describeShared(ClientOf)?Exchange\(/m.test(readFileSync(path.join(root, file), 'utf8')),
    );
    const together = items.filter(({ files }) => files.length > 1).flatMap(({ files }) => files);
    expect(together.sort()).to.deep.equal(sharing.sort());
    const alone = items.filter(({ files }) => files.length === 1).flatMap(({ files }) => files);
    expect(alone, 'suites that are left to longer runs').to.include.members([...LEFT_TO_CI, ...LEFT_TO_FULL]);
    expect([...LEFT_TO_FULL].filter((file) => LEFT_TO_CI.has(file))).to.deep.equal([]);
  });

  it('has in a long run the specs with tests that other runs leave out, and no others', () => {
    const items = itemsOf(root);
    const long = items.filter((item) => isLong(root, item)).flatMap(({ files }) => files);
    expect(long).to.include.members([...LEFT_TO_FULL]);
    // By itself, by what it imports from beside it, and by a suite of the testkit.
    expect(long).to.include.members([
      'scripts/test/gates.spec.ts',
      'packages/core/auditor/test/mirror.spec.ts',
      'services/mcp/test/agents.e2e.spec.ts',
      'services/standalone/test/shared-exchange/pmxt.e2e.spec.ts',
    ]);
    expect(long).not.to.include('packages/core/exchange/test/money.spec.ts');
    expect(long.length).to.be.lessThan(items.length / 3);
  });

  it('runs unit specs while the programs of the others are built', async () => {
    const [whole, unit, other, last] = [
      { files: ['whole.e2e.spec.ts'], isUnit: false },
      { files: ['unit.spec.ts'], isUnit: true },
      { files: ['other.spec.ts'], isUnit: true },
      { files: ['last.spec.ts'], isUnit: true },
    ];
    let finishBuild = (): void => undefined;
    const queue = createQueue([whole, unit, other, last], new Promise((resolve) => (finishBuild = resolve)));
    const fromOthers = queue.next({ unitsFirst: false });
    expect(await queue.next({ unitsFirst: true })).to.equal(unit);
    finishBuild();
    expect(await fromOthers).to.equal(whole);
    expect(await queue.next({ unitsFirst: true })).to.equal(other);
    expect(await queue.next({ unitsFirst: false })).to.equal(last);
    expect(await queue.next({ unitsFirst: true })).to.equal(null);
  });

  it('has time limits that grow with the machine: 34 tests failed by them at load 50', function () {
    const idle = { loadPerCore: 0.2, workMs: 40 };
    expect(factorOf(idle)).to.equal(1);
    expect(factorOf({ ...idle, loadPerCore: 12.5 })).to.equal(12.5);
    expect(factorOf({ ...idle, workMs: 350 })).to.equal(3.5);
    expect(factorOf({ loadPerCore: 500, workMs: 40 })).to.equal(20);
    expect(this.test?.timeout()).to.equal(scaledMs(60_000));
  });
});
