/** The value at this fraction of all in ascending order: 0.5 is the median, 1 the largest. NaN without values. */
export function quantile(values: readonly number[], at: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The measurement whose value is the median. @throws Error if there is none */
export function medianBy<T>(measured: readonly T[], valueOf: (one: T) => number): T {
  const middle = measured.toSorted((a, b) => valueOf(a) - valueOf(b))[measured.length >> 1];
  if (middle === undefined) throw new Error('nothing was measured');
  return middle;
}
