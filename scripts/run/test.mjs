import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { closingLine, progress } from '../mocha/closing-line.mjs';
import { importSpecs, MOCHA_OPTIONS } from '../mocha/specs.mjs';
import { joinRun, killLeftovers } from './leftovers.mjs';
import { measureMachine } from './machine.mjs';
import { onEndSignal } from './signals.mjs';
import { buildForTests } from './test-build.mjs';
import { isLong, itemsOf, LEFT_TO_CI, LEFT_TO_FULL } from './test-items.mjs';
import { runQueue } from './test-queue.mjs';

/**
 * Runs mocha with its options and files after `--`, or the specs of this kind of run. The last line is `N passed,
 * N failed, N skipped`, even if mocha ended before its reporter. Processes that tests left are killed and listed.
 */
export async function test(root, args) {
  process.chdir(root);
  measureMachine();
  if (args.some((arg) => arg.endsWith('.ts'))) await runHere(root, args);
  else process.exit(await runQueue(root, args, itemsOfThisRun(root)));
}

/**
 * With LONG_TESTS=1 the items with long tests, or those of one kind: TEST_ITEMS is `units` or `others`. Otherwise leaves
 * items to CI and to `.ci/full`, and prints their names.
 */
function itemsOfThisRun(root) {
  if (process.env.LONG_TESTS === '1') {
    const kind = process.env.TEST_ITEMS;
    const asked = itemsOf(root).filter(({ isUnit }) => kind === undefined || isUnit === (kind === 'units'));
    return asked.filter((item) => isLong(root, item));
  }
  const leftOut = [
    ...(process.env.CI ? [] : [['Left to CI (CI=1 npm test)', LEFT_TO_CI]]),
    ['Left to .ci/full (CI=1 LONG_TESTS=1 npm test)', LEFT_TO_FULL],
  ];
  for (const [title, files] of leftOut) {
    process.stdout.write(`${title}:\n${[...files].map((file) => `  ${file}\n`).join('')}`);
  }
  return itemsOf(root).filter(({ files }) => !leftOut.some(([, left]) => files.some((file) => left.has(file))));
}

async function runHere(root, args) {
  if (args.some((arg) => /\.e2e\.|\*/.test(arg))) await buildForTests(root);
  // process.exit runs the tests' exit handlers; a signal alone would not.
  onEndSignal((code) => process.exit(code));
  const run = randomUUID();
  joinRun(run);
  const finish = (code) => {
    killLeftovers(run);
    process.stdout.write(closingLine(progress, code));
  };
  process.once('exit', finish);
  progress.onEnd = () => {
    // Registered again, to run last: the exit handlers of the tests end most of the processes that they started.
    process.off('exit', finish);
    process.once('exit', finish);
  };
  importSpecs();
  const require = createRequire(path.join(root, 'package.json'));
  const { main } = require(path.join(root, 'node_modules/mocha/lib/cli/cli.js'));
  main([
    // A handle that a spec left open would keep a finished run from ending.
    '--exit',
    `--reporter=${path.join(root, 'scripts/mocha/reporter.mjs')}`,
    ...MOCHA_OPTIONS,
    ...args,
  ]);
}
