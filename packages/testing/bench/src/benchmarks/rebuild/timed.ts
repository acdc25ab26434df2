import { processorTimeMs } from '../../index.ts';

export interface ElapsedTimes {
  readonly fillMs: number;
  readonly allMs: number;
  /** The CPU time of this process and all of Postgres. */
  readonly processorMs: number;
}

/** Times work that reports when it has filled the tables. `postmaster`: the process id of Postgres. */
export async function timed<T>(
  postmaster: number,
  work: (filled: () => void) => Promise<T>,
): Promise<ElapsedTimes & { readonly result: T }> {
  const spentMs = (): number => {
    const { system, user } = process.cpuUsage();
    return (system + user) / 1000 + processorTimeMs(postmaster);
  };
  const [begunMs, spentBeforeMs] = [performance.now(), spentMs()];
  const filled: number[] = [];
  const result = await work(() => filled.push(performance.now()));
  const endedMs = performance.now();
  return {
    allMs: endedMs - begunMs,
    fillMs: (filled[0] ?? endedMs) - begunMs,
    processorMs: spentMs() - spentBeforeMs,
    result,
  };
}
