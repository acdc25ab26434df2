/** Counts by name. */
export type Counts = ReadonlyMap<string, number>;

/** Adds one to the count of this name. */
export function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** The sum of all counts. */
export function sum(counts: Counts): number {
  return [...counts.values()].reduce((total, times) => total + times, 0);
}
