import { processorTimeMs } from '../../index.ts';

/** Times work that reports when it has filled the tables, and its CPU time with all of Postgres (by its pid). */
export async function timeFill<T>(postmaster: number, work: (filled: () => void) => Promise<T>) {
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
