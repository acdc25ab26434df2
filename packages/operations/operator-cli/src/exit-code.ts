import { printError } from '@paper/runtime';
/** Runs `work`. Where it throws, prints the message to standard error and sets exit code 2. */
export async function orExitCode2(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    printError(error);
    process.exitCode = 2;
  }
}
