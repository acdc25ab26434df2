import { readdirSync, readFileSync } from 'node:fs';

/** A clock tick of /proc on every Linux that Node supports. */
const TICK_MS = 10;
/** Field numbers of /proc/PID/stat, counted after the name in brackets. */
const [PPID, UTIME, STIME, CUTIME, CSTIME] = [1, 11, 12, 13, 14];

/**
 * CPU time in ms so far of this process with its threads, and of a Postgres: its running and ended server processes.
 * Postgres counts on Linux only.
 */
export function processorTimeMs(postmaster: number): number {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1000 + (process.platform === 'linux' ? postgresTicks(postmaster) * TICK_MS : 0);
}

function postgresTicks(postmaster: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const stat = Number.isInteger(pid) ? statOf(pid) : null;
    if (stat === null) continue;
    if (stat[PPID] === postmaster) ticks += (stat[UTIME] ?? 0) + (stat[STIME] ?? 0);
    if (pid === postmaster) ticks += (stat[CUTIME] ?? 0) + (stat[CSTIME] ?? 0);
  }
  return ticks;
}

/** Null for a process that has ended. */
function statOf(pid: number): readonly number[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return null;
  }
}
