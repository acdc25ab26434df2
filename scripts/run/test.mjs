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
 * Every spec, in parts that run side by side, each a process of its own: specs of the services wait for processes and
 * servers most of the time. What shares an exchange is in one part, so that there is one of it.
 */
const PARTS = [
  ['services/standalone/test/[a-o]*.spec.ts', 'services/!(standalone)/test/**/*.spec.ts'],
  ['services/standalone/test/[p-z]*.spec.ts', 'services/standalone/test/*/**/*.spec.ts'],
  ['packages/*/test/**/*.spec.ts', 'scripts/test/**/*.spec.ts'],
];

/** Stands above what the parts said of their failures; `.ci/run` looks for it. */
const FAILURES_HEADING = 'The failures again:';

/** How long the output of a part may take to arrive after the part and all that it started have ended. */
const OUTPUT_WITHIN_MS = 5_000;

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/**
 * Runs mocha. Options and files after `--` are mocha's; without files it is every spec. The last line is
 * `N passed, N failed, N skipped`, also where mocha never came to its reporter. Nothing that the tests started outlives
 * the run, however it ends: what is left is killed and named.
 */
export async function test(root, args) {
  process.chdir(root);
  measureMachine();
  if (args.some((arg) => arg.endsWith('.ts'))) await runHere(root, args);
  else process.exitCode = await runParts(root, args);
}

/** Mocha in this process. */
async function runHere(root, args) {
  if (args.some((arg) => /\.e2e\.|\*/.test(arg))) await buildServices(root);
  // An exit runs what the tests have left for it; a signal alone would not.
  for (const signal of SIGNALS) process.once(signal, () => process.exit(128 + constants.signals[signal]));
  const run = randomUUID();
  belongTo(run);
  const finish = (code) => {
    nameLeftovers(killLeftovers(run));
    process.stdout.write(closingLine(progress, code));
  };
  process.once('exit', finish);
  progress.onEnd = () => {
    // Behind whatever the tests have registered for the exit, which ends most of what they started.
    process.off('exit', finish);
    process.once('exit', finish);
  };
  const require = createRequire(path.join(root, 'package.json'));
  // Mocha asks require() first, which would read a spec that happens to be valid JavaScript without tsx, and take its
  // `new Map<string>(…)` for comparisons. Refused here, it is imported.
  require.extensions['.ts'] = (_module, file) => {
    throw new Error(`${file} is to be imported`);
  };
  const { main } = require(path.join(root, 'node_modules/mocha/lib/cli/cli.js'));
  main([
    // A handle that a spec forgot would keep a finished run from ending.
    '--exit',
    `--reporter=${path.join(root, 'scripts/mocha/reporter.mjs')}`,
    ...(process.env.CI === undefined || process.env.CI === '' ? [] : ['--forbid-only']),
    ...args,
  ]);
}

/**
 * Every spec; what a part says comes when those before it have ended. Resolves to the exit code. `parts`: the specs of
 * each.
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
    // One that was ended before its reporter could count.
    if (code !== 0 && counts.failed === 0) total.failed += 1;
  }
  // Where only the end of a log is kept, it is there.
  if (failures.length > 0) process.stdout.write(`\n${FAILURES_HEADING}\n${failures.join('')}`);
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  return total.failed === 0 ? 0 : 1;
}

/** `live`: shows what it says at once, and gives no more than the counts and what mocha said of failures. */
async function startPart(root, args, live) {
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const run = randomUUID();
  const child = spawn(process.execPath, [path.join(root, 'scripts/run.mjs'), 'test', ...args], {
    env: { ...process.env, ...color, ...environmentOf(run) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // It ends what it started, and says what was tested until then.
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
  // Whatever holds the part's output open would keep this run from ending.
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

/** What end-to-end tests start (packages/testkit), here, where no test's time limit runs; once for a run. */
async function buildServices(root) {
  if (process.env.PAPER_BUILT !== undefined) return;
  const folder = mkdtempSync(path.join(tmpdir(), 'paper-built-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env.PAPER_BUILT = folder;
  const code = await build(root, [folder]);
  if (code !== 0) process.exit(code);
}
