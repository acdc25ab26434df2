export type Counts = ReadonlyMap<string, number>;

export function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

export const sum = (counts: Counts): number => [...counts.values()].reduce((total, times) => total + times, 0);
