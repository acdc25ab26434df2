import { readFileSync } from 'node:fs';
import { readPidFile } from './leftover.ts';

const LOOK_EVERY_MS = 1_000;
/** Between two recoveries of a row a server has no startup process for some milliseconds. */
const LOOKS_UNTIL_STUCK = 3;

/**
 * Calls `onStuck` when the server waits for a recovery that no process works on. Postgres 18 does so for ever when the
 * startup process is killed in the recovery that follows the crash of another process; former versions end. The returned
 * function stops watching. Does nothing where there is no /proc.
 */
export function watchRecovery(pid: number, clusterFolder: string, onStuck: () => void): () => void {
  let looks = 0;
  const timer = setInterval(() => {
    looks = waitsForNothing(pid, clusterFolder) ? looks + 1 : 0;
    if (looks === LOOKS_UNTIL_STUCK) onStuck();
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function waitsForNothing(pid: number, clusterFolder: string): boolean {
  try {
    if (readPidFile(clusterFolder)?.ready !== false) return false;
    return !titlesOfChildren(pid).some((title) => title.startsWith('postgres: startup'));
  } catch {
    // There is no /proc, or a process has just ended.
    return false;
  }
}

/** The titles of the server's processes, which Postgres writes over their command lines. */
function titlesOfChildren(pid: number): readonly string[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return children.map((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8'));
}
