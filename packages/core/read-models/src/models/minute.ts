/** Windows are evaluated at whole minutes, so that a read model equals a fold of the journal. */
export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** The start of the minute that a time is in. */
export function wholeMinute(ms: number): number {
  return ms - (ms % MINUTE_MS);
}
