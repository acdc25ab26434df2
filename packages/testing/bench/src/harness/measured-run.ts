/** Does the work, and measures its time, the CPU time of all threads, and the peak memory in MB of this process. */
export async function measureRun<T>(work: () => Promise<T>) {
  const [begunMs, begun] = [performance.now(), process.cpuUsage()];
  const value = await work();
  const [ms, { system, user }] = [performance.now() - begunMs, process.cpuUsage(begun)];
  return { cpuMs: (system + user) / 1000, ms, peakMb: process.resourceUsage().maxRSS / 1024, value };
}
