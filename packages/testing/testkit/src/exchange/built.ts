import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Program } from '@paper/supervisor';

const root = path.resolve(import.meta.dirname, '../../../../..');
const SOURCE_MAPS = (process.env['CI'] ?? '') === '' ? ['--enable-source-maps'] : [];

let built: Promise<string> | null = null;

/**
 * A built program, by the path of its source without the extension: `services/query-api/src/main`. `npm test` builds it
 * (PAPER_BUILT), else the first call of a process does. In CI its stack traces name the lines of built files, since
 * reading the source maps takes a fifth of a start's processor time.
 */
export async function builtProgram(source: string): Promise<Program> {
  return { args: [...SOURCE_MAPS, path.join(await builtFolder(), `${source}.js`)], cwd: root };
}

/** The folder of all built programs. @throws Error with the bundler's output */
export async function builtFolder(): Promise<string> {
  return process.env['PAPER_BUILT'] ?? (await (built ??= build()));
}

async function build(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'paper-built-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  try {
    await promisify(execFile)(process.execPath, ['scripts/run.mjs', 'build', folder], { cwd: root });
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`The sources could not be built:\n${stdout}${stderr}`, { cause: error });
  }
  return folder;
}
