import type { ChildProcess } from 'node:child_process';

/** Whether the process has ended, by itself or by a signal. */
export function hasEnded({ exitCode, signalCode }: Pick<ChildProcess, 'exitCode' | 'signalCode'>): boolean {
  return exitCode !== null || signalCode !== null;
}
