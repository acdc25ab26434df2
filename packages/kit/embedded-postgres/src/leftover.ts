import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProcessOf, readIfPresent } from '@paper/runtime';

export function readPidFile(clusterFolder: string): { pid: number; ready: boolean } | null {
  const lines = readIfPresent(join(clusterFolder, 'postmaster.pid'))?.split('\n') ?? [];
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, ready: lines[7]?.trim() === 'ready' };
}

/**
 * Clears what a killed process left in the cluster's folder, whose lock the caller holds: an orphaned server, and the
 * pid file, over which Postgres may refuse to start.
 */
export async function clearLeftover(clusterFolder: string): Promise<void> {
  const found = readPidFile(clusterFolder);
  if (found !== null && isProcessOf(found.pid, 'postgres', clusterFolder)) await shutDown(found.pid, clusterFolder);
  rmSync(join(clusterFolder, 'postmaster.pid'), { force: true });
}

async function shutDown(pid: number, clusterFolder: string): Promise<void> {
  const steps = [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const;
  for (const [signal, waitMs] of steps) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const until = performance.now() + waitMs;
    while (performance.now() < until) {
      if (!isProcessOf(pid, 'postgres', clusterFolder)) return;
      await sleep(20);
    }
  }
  throw new Error(`A Postgres of an earlier run (pid ${pid}) does not end.`);
}
