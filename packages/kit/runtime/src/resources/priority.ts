import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** Nice values of Linux: a thread with the usual 0 gets nine times as much of a contended core as one with the first, 10. */
const NICE = { lower: constants.priority.PRIORITY_BELOW_NORMAL, lowest: constants.priority.PRIORITY_LOW } as const;

/**
 * Lets everything else on this machine have the processor before a process. It runs at full speed while a core is free.
 * Does nothing where the system refuses.
 *
 * @param pid of a process, or on Linux of a thread.
 */
export function lowerPriority(pid: number, to: keyof typeof NICE = 'lower'): void {
  try {
    if (getPriority(pid) < NICE[to]) setPriority(pid, NICE[to]);
  } catch {
    // The thread has ended or belongs to another user: it keeps its priority.
  }
}

/** `lowerPriority` of the thread that calls this. Only Linux has a priority for each thread. */
export function lowerThreadPriority(): void {
  try {
    lowerPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)));
  } catch {
    // Without /proc, the thread keeps its priority.
  }
}
