import { readFileSync } from 'node:fs';

/**
 * npm stands between the person and this process, sometimes with a shell in between. Where npm is killed (−9) it
 * takes nobody along: so this process looks whether it is still there, and else stops as if asked to.
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

/** Only Linux tells; elsewhere the shell's end is what is seen. */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  } catch {
    return '';
  }
}
