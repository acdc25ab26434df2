import { MINUTE_MS } from '@paper/contracts/units';

/** The start of the minute that contains a time. Windows of time end at whole minutes. */
export function wholeMinute(ms: number): number {
  return ms - (ms % MINUTE_MS);
}
