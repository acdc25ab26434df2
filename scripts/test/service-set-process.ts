import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { withoutProgress } from '@paper/testkit';
import { expect } from 'chai';

export const root = path.resolve(import.meta.dirname, '../..');

/** An `npm run start:services` that a test started. */
export interface ServiceSetProcess {
  readonly command: ChildProcess;
  readonly ended: Promise<unknown>;
  /** The standard output so far. */
  readonly printed: () => string;
  /** The standard error so far, which is for people. */
  readonly said: () => string;
  /** The address that it prints when it is ready. @throws Error where it ends before. */
  readonly ready: () => Promise<string>;
  /** Its child processes, by the program that they run. */
  readonly children: () => Map<number, string>;
}

/** Starts the services on a free port, with this environment on top of the test's. */
export function startServiceSet(env: Readonly<Record<string, string>>): ServiceSetProcess {
  const command = spawn(process.execPath, ['scripts/run.mjs', 'start:services'], {
    cwd: root,
    env: { ...process.env, PORT: '0', npm_lifecycle_event: undefined, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(command, 'close');
  let [printed, said] = ['', ''];
  command.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  command.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return {
    command,
    ended,
    printed: () => printed,
    said: () => said,
    async ready() {
      const isOver = ended.then(() => true);
      for (;;) {
        const url = /^Ready at (\S+)$/m.exec(printed)?.[1];
        if (url !== undefined) return url;
        const over = await Promise.race([isOver, once(command.stdout, 'data').then(() => false)]);
        if (over) throw new Error(`it ended before it was ready:\n${said}`);
      }
    },
    children: () => childrenOf(command.pid ?? 0),
  };
}

/** Runs an `npm run` command of an operator. Its standard error comes without the lines that show how far it is. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const command = spawn(process.execPath, ['scripts/run.mjs', ...args], {
    cwd: root,
    env: { ...process.env, npm_lifecycle_event: undefined, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  command.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  command.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await once(command, 'close');
  return { code: command.exitCode, stdout, stderr: withoutProgress(stderr) };
}

/** Whether a process runs: a zombie has no command line. */
export const lives = (pid: number): boolean => commandOf(pid) !== '';

/** Reads /proc: the suites that use it have their servers on Linux only. */
function childrenOf(parent: number): Map<number, string> {
  const pids = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ').map(Number);
  return new Map(
    pids.flatMap((pid): [number, string][] => {
      const line = commandOf(pid);
      const what = /services\/([\w-]+)\/src\/main\.js/.exec(line)?.[1] ?? /haproxy/.exec(line)?.[0];
      return what === undefined ? [] : [[pid, what]];
    }),
  );
}

/** Empty for a process that has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Ends the services as an operator does, and expects exit code 0. */
export async function stopServiceSet({ command, ended }: ServiceSetProcess): Promise<void> {
  command.kill('SIGINT');
  await ended;
  expect(command.exitCode).to.equal(0);
}
