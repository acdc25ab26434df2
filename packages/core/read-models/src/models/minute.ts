import { MINUTE_MS } from '@paper/contracts/units';

/** Windows are evaluated at whole minutes, so that a read model always equals a fold of the journal. */

/** The start of the minute that a time is in. */
export function wholeMinute(ms: number): number {
  return ms - (ms % MINUTE_MS);
}
