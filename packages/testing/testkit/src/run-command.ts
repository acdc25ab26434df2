import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = path.resolve(import.meta.dirname, '../../../..');

/**
 * Runs a command of package.json on the service of a data folder, such as `audit verify`, in a separate process. Gives
 * its exit code and its whole output, without the lines that show how far it is.
 * @param settings further environment variables
 * @param root of the repository whose command it is; default: this one
 */
export async function runCommand(
  args: readonly string[],
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  root = ROOT,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, [path.join(root, 'scripts/run.mjs'), ...args], {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      EVENTSTORE_URL: '',
      JOURNAL_URL: '',
      // A build of this repository is not the program of another checkout.
      ...(root === ROOT ? {} : { PAPER_BUILT: '' }),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, output: `${out}${withoutProgress(err)}`.trim() };
}

/** What a command printed to standard error, without the lines that show how far it is: they depend on the machine. */
export function withoutProgress(stderr: string): string {
  return stderr.replace(/^.* … \d+ s(, .*)?\n/gm, '');
}
