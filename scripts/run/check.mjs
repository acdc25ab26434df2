import { runLocal } from './local.mjs';

const GATES = [
  // The slowest check comes first, since two run at a time.
  ['lint and types', 'oxlint', []],
  ['types of the exchange, which has no Node', 'tsc', ['--noEmit', '-p', 'packages/core/exchange/tsconfig.json']],
  // `err-long` prints the comment of each broken rule, which says where the import belongs.
  [
    'imports',
    'depcruise',
    ['--output-type', 'err-long', '--config', '.dependency-cruiser.mjs', 'packages', 'services', 'scripts'],
  ],
  ['compose file', 'dclint', ['--config', 'infra/dclint.json', '--max-warnings', '0', 'docker-compose.yml']],
  ['API document', 'tsx', ['scripts/clients/lint-api-document.ts']],
  ['image', 'dockerfile-utils', ['lint', 'infra/Dockerfile']],
  ['format', 'oxfmt', ['--check']],
];

/** Runs every gate, even after one has failed, and prints the output of failures. Returns the exit code. */
export async function check(root) {
  // The linter's type checker is a Go program, which otherwise spends a quarter of its time on garbage.
  process.env.GOGC ??= '400';
  const waiting = [...GATES];
  const failed = [];
  const worker = async () => {
    for (let gate = waiting.shift(); gate !== undefined; gate = waiting.shift()) {
      const [name, tool, args] = gate;
      const startedMs = performance.now();
      const { code, output } = await runLocal(root, tool, args);
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
      process.stdout.write(`${code === 0 ? '✔' : '✘'} ${name} (${seconds} s)\n`);
      if (code !== 0) {
        process.stdout.write(`${output.trimEnd()}\n\n`);
        failed.push(name);
      }
    }
  };
  await Promise.all([worker(), worker()]);
  process.stdout.write(failed.length === 0 ? 'All gates passed.\n' : `Failed: ${failed.join(', ')}.\n`);
  return failed.length === 0 ? 0 : 1;
}
