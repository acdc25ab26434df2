/** The cost of a run of this process. */
export interface RunFigures {
  readonly ms: number;
  /** The CPU time of all threads of this process. */
  readonly cpuMs: number;
  readonly peakMb: number;
}

/** Does the work, and measures its cost for this process. */
export async function measureRun<T>(
  work: () => Promise<T>,
): Promise<{ readonly figures: RunFigures; readonly value: T }> {
  const [begunMs, begun] = [performance.now(), process.cpuUsage()];
  const value = await work();
  const [ms, { system, user }] = [performance.now() - begunMs, process.cpuUsage(begun)];
  return { figures: { cpuMs: (system + user) / 1000, ms, peakMb: process.resourceUsage().maxRSS / 1024 }, value };
}
