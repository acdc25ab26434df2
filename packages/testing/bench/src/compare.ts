import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { comparedFigures, figuresOf } from './harness/compared-figures.ts';
import { figure, inTurns, percent, printTable } from './index.ts';

/** `npm run bench -- compare REV NAME…` measures another revision and this checkout in turns. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const root = path.resolve(import.meta.dirname, '../../../..');

const [revision, ...names] = process.argv.slice(2);
if (revision === undefined || names.length === 0) {
  process.stderr.write('Usage: npm run bench -- compare REVISION NAME…\n');
  process.exit(2);
}
const commit = commitOf(revision);

const folder = mkdtempSync(path.join(tmpdir(), 'paper-compare-'));
const other = path.join(folder, 'checkout');
execFileSync('git', ['worktree', 'add', '--detach', other, commit], { cwd: root, stdio: 'ignore' });
try {
  for (const name of names) {
    const outputs = await inTurns([other, root], { rounds: ROUNDS }, (checkout, round) => {
      console.error(`${name}, round ${round} of ${ROUNDS}: ${checkout === root ? 'this checkout' : revision}`);
      return outputOf(checkout, name);
    });
    const [theirs = [], ours = []] = outputs.map((rounds) => rounds.map(figuresOf));
    console.log(
      `${name}: ${revision} (${commit.slice(0, 8)}) beside this checkout, medians of ${ROUNDS} rounds in turns\n`,
    );
    const row = printTable(['figure'], [revision, 'here', 'here of it']);
    for (const { name: what, before, after } of comparedFigures(theirs, ours)) {
      row(what, figure(before, 1), figure(after, 1), percent(after / before));
    }
    console.log('');
  }
} finally {
  execFileSync('git', ['worktree', 'remove', '--force', other], { cwd: root, stdio: 'ignore' });
  rmSync(folder, { force: true, recursive: true });
}

function commitOf(name: string): string {
  const parsed = spawnSync('git', ['rev-parse', '--verify', `${name}^{commit}`], { cwd: root, encoding: 'utf8' });
  if (parsed.status === 0) return parsed.stdout.trim();
  process.stderr.write(`${name} is no revision of this repository; give a commit, a branch or a tag\n`);
  process.exit(2);
}

/** Runs a benchmark and returns its output. The exit code 1 only says that a bar was missed. */
function outputOf(checkout: string, name: string): string {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/run.mjs', 'bench', name], {
    cwd: checkout,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status === 0 || status === 1) return stdout;
  throw new Error(`the benchmark ${name} of ${checkout} ended with ${status ?? 'a signal'}`);
}
