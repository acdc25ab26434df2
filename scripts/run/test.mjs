import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { closingLine } from '../mocha/closing-line.mjs';
import { build } from './build.mjs';

const SPECS = ['packages/*/test/**/*.spec.ts', 'services/*/test/**/*.spec.ts', 'scripts/test/**/*.spec.ts'];

/**
 * Runs mocha in this process. Options and files after `--` are mocha's; without files it is every spec.
 * The last line is `N passed, N failed, N skipped`, also where mocha never came to its reporter.
 */
export async function test(root, args) {
  process.chdir(root);
  process.once('exit', (code) => {
    if (code !== 0 && !closingLine.printed) process.stdout.write('\n0 passed, 1 failed, 0 skipped\n');
  });
  const files = args.filter((arg) => /\.spec\.ts$/.test(arg) || arg.includes('*'));
  if (files.length === 0 || files.some((file) => /\.e2e\.|\*/.test(file))) await buildServices(root);
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
    ...(files.length > 0 ? [] : SPECS),
  ]);
}

/** What end-to-end tests start (packages/testkit), here, where no test's time limit runs. */
async function buildServices(root) {
  const folder = mkdtempSync(path.join(tmpdir(), 'paper-built-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.env.PAPER_BUILT = folder;
  const code = await build(root, [folder]);
  if (code !== 0) process.exit(code);
}
