/** How often each thing was there, by its name. */
export type Counts = ReadonlyMap<string, number>;

/** Counts one more of it. */
export function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** All of some counts together. */
export function sum(counts: Counts): number {
  return [...counts.values()].reduce((total, times) => total + times, 0);
}
