import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();

/** Kills the child when this process exits. One exit listener serves all children, since Node warns of many. */
export function diesWithUs(child: ChildProcess): void {
  if (running.size === 0) process.once('exit', killAll);
  running.add(child);
  child.once('close', () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', killAll);
  });
}

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}
