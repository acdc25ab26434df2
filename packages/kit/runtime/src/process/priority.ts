import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** A nice value of Linux, 10: a thread with the usual 0 gets nine times as much of a contended core. */
const LOWER = constants.priority.PRIORITY_BELOW_NORMAL;
/** The lowest one, 19. */
export const LOWEST = constants.priority.PRIORITY_LOW;

/**
 * Lets everything else on this machine have the processor before a process. It runs at full speed while a core is free.
 * Does nothing where the system refuses.
 *
 * @param pid of a process, or on Linux of a thread.
 * @param priority the nice value that it gets, unless it has a higher one
 */
export function lowerPriority(pid: number, priority: number = LOWER): void {
  try {
    if (getPriority(pid) < priority) setPriority(pid, priority);
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
