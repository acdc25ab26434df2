import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { killAtExit } from '@paper/runtime';
import { eventually, longTest, scaledMs } from '@paper/testkit';
import { expect } from 'chai';
import { environmentOf, processesOf } from '../run/leftovers.mjs';
import { factorOf } from '../run/machine.mjs';
import { PARTS } from '../run/test.mjs';

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

  /** Starts node on a program in a process group of its own, and collects the output of it and its descendants. */
  const start = (args: readonly string[]) => {
    const run = randomUUID();
    const child = spawn(process.execPath, args, {
      cwd: root,
      // These suites start no service, so nothing has to be built.
      env: { ...process.env, ...environmentOf(run), NO_COLOR: '1', PAPER_BUILT: root, TEST_DATABASE_URL: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    killAtExit(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    return { child, closed: once(child, 'close'), output: () => output, run };
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
  const parts = (...names: readonly string[]): Started =>
    start([
      '--input-type=module',
      '--eval',
      `import { runParts } from './scripts/run/test.mjs';
      process.exitCode = await runParts(process.cwd(), [], ${JSON.stringify(names.map((name) => [fixture(name)]))});`,
    ]);

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

  it('ends after failures in parts, though a process of a test holds the output of its part open', async () => {
    await expectNothingLeft(parts('before-hook', 'test'), /^1 passed, 2 failed, 0 skipped$/);
  });

  it('ends at a signal without leftovers, and counts the tests so far', async () => {
    const started = parts('nothing-ends');
    // The test before it has been counted by then: the line of what was left is printed by a hook.
    await eventually('the test that does not end runs', () => started.output().includes('✔ passes'));
    expect(leftIn(started.output())).to.have.length(1);
    started.child.kill('SIGTERM');
    await expectNothingLeft(started, /^1 passed, 1 failed, 0 skipped$/);
  });

  it('has every spec in one of its parts', () => {
    const { lookupFiles } = createRequire(import.meta.url)('mocha/lib/cli') as {
      readonly lookupFiles: (glob: string) => readonly string[];
    };
    const inParts = PARTS.flat().flatMap((glob) => lookupFiles(glob));
    const specs = ['packages', 'scripts', 'services'].flatMap((folder) =>
      // With the types of its entries, since it follows the links of node_modules without them.
      readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.spec.ts'))
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
    );
    expect(specs.length).to.be.greaterThan(300);
    expect([...inParts].sort()).to.deep.equal(specs.sort());
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
