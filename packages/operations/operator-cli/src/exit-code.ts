import { printError } from '@paper/runtime';
import { Interrupted } from './interruption.ts';

/** The command could not run. */
const IMPOSSIBLE = 2;

/** Runs `work`. Where it throws, prints the message to standard error and sets the exit code: 2, or 130 after Ctrl-C. */
export async function orExitCode2(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    printError(error);
    process.exitCode = exitCodeOf(error);
  }
}

/** The exit code of a command that has thrown this. */
export function exitCodeOf(error: unknown): number {
  return error instanceof Interrupted ? error.exitCode : IMPOSSIBLE;
}
