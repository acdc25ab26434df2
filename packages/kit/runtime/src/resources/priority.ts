import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** Linux's nice values: a thread with the usual 0 gets nine times as much of a contended core as one with 10. */
const NICE = { lower: constants.priority.PRIORITY_BELOW_NORMAL, lowest: constants.priority.PRIORITY_LOW } as const;

/** Gives other work on this machine priority over a process, or on Linux a thread, unless the system refuses. */
export function lowerPriority(pid: number, to: keyof typeof NICE = 'lower'): void {
  try {
    if (getPriority(pid) < NICE[to]) setPriority(pid, NICE[to]);
  } catch {
    // The thread has ended or belongs to another user: it keeps its priority.
  }
}

/** Lowers the priority of the calling thread, as `lowerPriority` does. Only Linux has a priority for each thread. */
export function lowerThreadPriority(): void {
  try {
    lowerPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)));
  } catch {
    // Without /proc, the thread keeps its priority.
  }
}
