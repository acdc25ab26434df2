import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closingLine, progress } from '../mocha/closing-line.mjs';
import { build } from './build.mjs';
import { belongTo, environmentOf, killLeftovers } from './leftovers.mjs';
import { measureMachine } from './machine.mjs';

/**
 * All specs in parts that run side by side, each in a process of its own, since specs of services mostly wait. Suites
 * that share an exchange are in one part, so that it is started once.
 */
export const PARTS = [
  [
    'services/standalone/test/[a-o]*.spec.ts',
    'packages/operations/operator-cli/test/**/*.spec.ts',
    'scripts/test/**/[a-r]*.spec.ts',
  ],
  ['services/standalone/test/[p-z]*.spec.ts', 'services/standalone/test/*/**/*.spec.ts'],
  [
    'packages/{core/{auditor,command-side,contracts,exchange},clients/client*,kit/embedded-postgres,operations/{backup,exports},testing/{bench,chaos}}/test/**/*.spec.ts',
    'scripts/test/**/[s-z]*.spec.ts',
  ],
  ['services/!(standalone|portal)/test/**/*.spec.ts'],
  ['services/portal/test/**/*.spec.ts'],
  [
    'packages/{core/!(auditor|command-side|contracts|exchange),clients/!(client*),kit/!(embedded-postgres),operations/!(backup|exports|operator-cli),testing/!(bench|chaos)}/test/**/*.spec.ts',
  ],
];

/** The heading above the failures of all parts; `.ci/run` searches for it. */
const FAILURES_HEADING = 'The failures again:';

/** How long to wait for a part's remaining output after all of its processes have ended. */
const OUTPUT_WITHIN_MS = 5_000;

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/**
 * Runs mocha. Options and files after `--` are mocha's; without files it runs every spec. The last line is `N passed, N
 * failed, N skipped`, also where mocha ended before its reporter. No process that tests started outlives the run:
 * leftovers are killed and listed.
 */
export async function test(root, args) {
  process.chdir(root);
  measureMachine();
  if (args.some((arg) => arg.endsWith('.ts'))) await runHere(root, args);
  else process.exitCode = await runParts(root, args);
}

async function runHere(root, args) {
  if (args.some((arg) => /\.e2e\.|\*/.test(arg))) await buildServices(root);
  // process.exit runs the tests' exit handlers; a signal alone would not.
  for (const signal of SIGNALS) process.once(signal, () => process.exit(128 + constants.signals[signal]));
  const run = randomUUID();
  belongTo(run);
  const finish = (code) => {
    nameLeftovers(killLeftovers(run));
    process.stdout.write(closingLine(progress, code));
  };
  process.once('exit', finish);
  progress.onEnd = () => {
    // Registered again as the last exit handler, after those of the tests, which end most of what they started.
    process.off('exit', finish);
    process.once('exit', finish);
  };
  const require = createRequire(path.join(root, 'package.json'));
  // Mocha tries require() first, which would run a spec that happens to be valid JavaScript without tsx, and parse its
  // `new Map<string>(…)` as comparisons. Refused here, the spec is imported.
  require.extensions['.ts'] = (_module, file) => {
    throw new Error(`${file} is to be imported`);
  };
  const { main } = require(path.join(root, 'node_modules/mocha/lib/cli/cli.js'));
  main([
    // A handle that a spec left open would keep a finished run from ending.
    '--exit',
    `--reporter=${path.join(root, 'scripts/mocha/reporter.mjs')}`,
    ...(process.env.CI === undefined || process.env.CI === '' ? [] : ['--forbid-only']),
    ...args,
  ]);
}

/**
 * Runs every spec; a part's output is printed when those before it have ended. Resolves to the exit code. `parts`: the
 * specs of each.
 */
export async function runParts(root, options, parts = PARTS) {
  await buildServices(root);
  const running = parts.map((specs, index) => startPart(root, [...options, ...specs], index === 0));
  const total = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  for (const part of running) {
    const { code, output, counts, failing } = await part;
    process.stdout.write(output);
    failures.push(...failing);
    for (const kind of Object.keys(total)) total[kind] += counts[kind];
    // A part that ended before its reporter could count.
    if (code !== 0 && counts.failed === 0) total.failed += 1;
  }
  // At the end, in case only the end of the log is kept.
  if (failures.length > 0) process.stdout.write(`\n${FAILURES_HEADING}\n${failures.join('')}`);
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  return total.failed === 0 ? 0 : 1;
}

/** `live`: prints the output at once, and returns the counts and failures only. */
async function startPart(root, args, live) {
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const run = randomUUID();
  const child = spawn(process.execPath, [path.join(root, 'scripts/run.mjs'), 'test', ...args], {
    env: { ...process.env, ...color, ...environmentOf(run) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // At the signal, the part of the test run ends what it started, and reports the tests so far.
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      if (live) process.stdout.write(text);
      output += text;
    });
  }
  const closed = once(child, 'close');
  const [code] = await once(child, 'exit');
  // A leftover that holds the part's output open would keep this run from ending.
  nameLeftovers(killLeftovers(run));
  await Promise.race([closed, sleep(OUTPUT_WITHIN_MS)]);
  const [, passed, failed, skipped] = /(\d+) passed, (\d+) failed, (\d+) skipped\n$/.exec(output) ?? [0, 0, 0, 0];
  const counts = { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
  const failing = /^\S* {2}\d+ failing[\s\S]*(?=\n\d+ passed)/m.exec(output) ?? [];
  return { code, counts, failing, output: live ? '' : output };
}

function nameLeftovers(killed) {
  if (killed.length === 0) return;
  process.stderr.write(`\nThe tests left these running; they were killed:\n  ${killed.join('\n  ')}\n`);
}

/** Builds the programs that end-to-end tests start (packages/testing/testkit) once for a run, outside any test's time limit. */
async function buildServices(root) {
  if (process.env.PAPER_BUILT !== undefined) return;
  const folder = mkdtempSync(path.join(tmpdir(), 'paper-built-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env.PAPER_BUILT = folder;
  const code = await build(root, [folder]);
  if (code !== 0) process.exit(code);
}
