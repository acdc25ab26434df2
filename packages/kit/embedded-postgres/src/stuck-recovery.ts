import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 1_000;
/** The checks without either process after which it is stuck: after a crash both are missing for some milliseconds. */
const LOOKS_UNTIL_STUCK = 3;

const AT_WORK = ['postgres: walwriter', 'postgres: startup'];

/**
 * Calls `onStuck` once the server neither serves nor recovers: Postgres 18 stays so if its startup process is killed
 * while it syncs the data folder. The returned function stops watching. Does nothing without /proc.
 */
export function watchRecovery(serverPid: number, onStuck: () => void): () => void {
  let looks = 0;
  const timer = setInterval(() => {
    looks = isAtWork(serverPid) ? 0 : looks + 1;
    if (looks === LOOKS_UNTIL_STUCK) onStuck();
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function isAtWork(serverPid: number): boolean {
  try {
    return titlesOfChildren(serverPid).some((title) => AT_WORK.some((word) => title.startsWith(word)));
  } catch {
    // Without /proc, or when a process has just ended, the server counts as working.
    return true;
  }
}

/** The titles of the server's processes, which Postgres writes over their command lines. */
function titlesOfChildren(serverPid: number): readonly string[] {
  const children = readFileSync(`/proc/${serverPid}/task/${serverPid}/children`, 'utf8').trim().split(' ');
  return children.map((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8'));
}
