/** What a run of this process cost. */
export interface RunFigures {
  readonly ms: number;
  /** CPU time of this process, all of its threads. */
  readonly cpuMs: number;
  /** Peak memory in MB. */
  readonly peakMb: number;
}

/** Does the work, and measures what it cost this process. */
export async function measureRun<T>(
  work: () => Promise<T>,
): Promise<{ readonly figures: RunFigures; readonly value: T }> {
  const [begunMs, begun] = [performance.now(), process.cpuUsage()];
  const value = await work();
  const [ms, { system, user }] = [performance.now() - begunMs, process.cpuUsage(begun)];
  return { figures: { cpuMs: (system + user) / 1000, ms, peakMb: process.resourceUsage().maxRSS / 1024 }, value };
}
