import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = path.resolve(import.meta.dirname, '../../../..');

/**
 * Runs a command such as `audit verify` on a data folder, of the checkout at `root`. `output` is that of both streams,
 * without lines of progress.
 */
export async function runCommand(
  args: readonly string[],
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  root = ROOT,
): Promise<{ readonly code: number | null; readonly output: string; readonly stdout: string }> {
  const child = spawn(process.execPath, [path.join(root, 'scripts/run.mjs'), ...args], {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      EVENTSTORE_URL: '',
      JOURNAL_URL: '',
      // The other checkout needs its own build.
      ...(root === ROOT ? {} : { PAPER_BUILT: '' }),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, output: `${out}${withoutProgress(err)}`.trim(), stdout: out };
}

/** The output of a command to standard error, without the lines of progress, which depend on the machine. */
export function withoutProgress(stderr: string): string {
  return stderr.replace(/^.* … \d+ s(, .*)?\n/gm, '');
}
