import { readFileSync } from 'node:fs';

/**
 * Stops this process when npm has ended. npm is its parent, sometimes through a shell. When npm is killed by SIGKILL it
 * does not stop its children, so this process watches its parent and stops as if by a signal.
 */
export function endWithParent() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const lineage = () => [process.ppid, parentOf(process.ppid)].join(' ');
  const atStart = lineage();
  const timer = setInterval(() => {
    if (lineage() === atStart) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}

/** The parent's parent can be found on Linux only; on other systems only the shell's end is noticed. */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  } catch {
    return '';
  }
}
