import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { killAtExit } from '@paper/runtime';

/** The result of a command that has ended. */
export interface Ended {
  /** Null if a signal ended the command. */
  readonly code: number | null;
  readonly stdout: string;
  /** The end of standard output and standard error, in the order in which they came. */
  readonly output: string;
}

export interface RunningCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly output: () => string;
}

const SHOWN_CHARACTERS = 8_000;

/** Starts a command, which ends with this process at the latest. The first word is the program. */
export function startCommand([program = '', ...args]: readonly string[], options: SpawnOptions = {}): RunningCommand {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  killAtExit(child);
  let stdout = '';
  let output = '';
  const note = (text: string): void => void (output = (output + text).slice(-SHOWN_CHARACTERS));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    note(text);
  });
  child.stderr.setEncoding('utf8').on('data', note);
  const ended = new Promise<Ended>((resolve) => {
    child.once('error', (error) => resolve({ code: null, stdout, output: `${program}: ${error.message}` }));
    child.once('close', (code) => resolve({ code, stdout, output }));
  });
  return { child, ended, output: () => output };
}

/** Runs a command to its end. */
export function runCommandLine(words: readonly string[], options: SpawnOptions = {}): Promise<Ended> {
  return startCommand(words, options).ended;
}

/** Runs a command; returns its standard output, trimmed. @throws Error when its exit code is not 0 */
export async function runOrThrow(words: readonly string[], options: SpawnOptions = {}): Promise<string> {
  const { code, output, stdout } = await runCommandLine(words, options);
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code ?? 'a signal'}:\n${output.trimEnd()}`);
  return stdout.trim();
}
