export type Counts = ReadonlyMap<string, number>;

export function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

export function sum(counts: Counts): number {
  return [...counts.values()].reduce((total, times) => total + times, 0);
}
