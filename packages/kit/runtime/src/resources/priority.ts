import { readlinkSync, writeFileSync } from 'node:fs';
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

const AGAIN_MS = 200;

/**
 * Like `lowerPriority`, for a process that was started as the first of a session (`detached`). Linux divides a contended
 * core between sessions first (sched(7), autogroup): the nice value of a process counts only within its own.
 */
export function lowerSessionPriority(pid: number, to: keyof typeof NICE): void {
  lowerPriority(pid, to);
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(NICE[to]));
  } catch (error) {
    // Linux takes one such change in 100 ms from all users together. Any other error: it has no autogroups.
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') setTimeout(lowerSessionPriority, AGAIN_MS, pid, to).unref();
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
