import { readdirSync, readFileSync } from 'node:fs';

/** The length of a clock tick in /proc, on every Linux that Node supports. */
const TICK_MS = 10;
/** Field numbers of /proc/PID/stat, counted after the name in brackets. */
const [PPID, UTIME, STIME, CUTIME, CSTIME] = [1, 11, 12, 13, 14];

/** The CPU time in ms so far of a process and its descendants, including ended ones; 0 without /proc. */
export function processorTimeMs(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const stats = new Map<number, readonly number[]>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(name) : null;
    if (stat !== null) stats.set(Number(name), stat);
  }
  const isOf = (one: number): boolean => one === pid || (stats.has(one) && isOf(stats.get(one)?.[PPID] ?? 0));
  const ticksOf = (stat: readonly number[]): number =>
    [UTIME, STIME, CUTIME, CSTIME].reduce((sum, field) => sum + (stat[field] ?? 0), 0);
  return TICK_MS * [...stats].reduce((sum, [one, stat]) => sum + (isOf(one) ? ticksOf(stat) : 0), 0);
}

/** The CPU time in seconds of a process that serves metrics, without its descendants. */
export async function processorSeconds(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const line = /^(?:\w+_)?process_cpu_seconds_total(?:\{.*\})? (\S+)/m.exec(text);
  if (line === null) throw new Error(`${metricsUrl} has no process_cpu_seconds_total`);
  return Number(line[1]);
}

/** The fields of a process in /proc; null for a process that has ended. */
function statOf(pid: string): readonly number[] | null {
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
