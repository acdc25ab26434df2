import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { closingLine } from '../mocha/closing-line.mjs';
import { build } from './build.mjs';

/**
 * Every spec. Those of the services wait for processes and servers most of the time, so the others run beside them, each
 * part a process of its own.
 */
const PARTS = [['services/*/test/**/*.spec.ts'], ['packages/*/test/**/*.spec.ts', 'scripts/test/**/*.spec.ts']];

/** Stands above what the parts said of their failures; `.ci/run` looks for it. */
const FAILURES_HEADING = 'The failures again:';

/**
 * Runs mocha. Options and files after `--` are mocha's; without files it is every spec. The last line is
 * `N passed, N failed, N skipped`, also where mocha never came to its reporter.
 */
export async function test(root, args) {
  process.chdir(root);
  process.once('exit', (code) => {
    if (code !== 0 && !closingLine.printed) process.stdout.write('\n0 passed, 1 failed, 0 skipped\n');
  });
  if (args.some((arg) => arg.includes('.spec.ts'))) await runHere(root, args);
  else process.exitCode = await runParts(root, args);
}

/** Mocha in this process. */
async function runHere(root, args) {
  if (process.env.PAPER_BUILT === undefined && args.some((arg) => /\.e2e\.|\*/.test(arg))) await buildServices(root);
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

/** Every spec; what the second part says comes when the first has ended. Resolves to the exit code. */
async function runParts(root, options) {
  await buildServices(root);
  const parts = PARTS.map((specs, index) => startPart(root, [...options, ...specs], index === 0));
  const total = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  for (const part of parts) {
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
  closingLine.printed = true;
  return total.failed === 0 ? 0 : 1;
}

/** `live`: shows what it says at once, and gives no more than the counts and what mocha said of failures. */
async function startPart(root, args, live) {
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const child = spawn(process.execPath, [path.join(root, 'scripts/run.mjs'), 'test', ...args], {
    env: { ...process.env, ...color },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      if (live) process.stdout.write(text);
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  const [, passed, failed, skipped] = /(\d+) passed, (\d+) failed, (\d+) skipped\n$/.exec(output) ?? [0, 0, 0, 0];
  const counts = { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
  const failing = /^\S* {2}\d+ failing[\s\S]*(?=\n\d+ passed)/m.exec(output) ?? [];
  return { code, counts, failing, output: live ? '' : output };
}

/** What end-to-end tests start (packages/testkit), here, where no test's time limit runs. */
async function buildServices(root) {
  const folder = mkdtempSync(path.join(tmpdir(), 'paper-built-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env.PAPER_BUILT = folder;
  const code = await build(root, [folder]);
  if (code !== 0) process.exit(code);
}
