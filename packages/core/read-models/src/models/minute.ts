import { MINUTE_MS } from '@paper/contracts/units';

/** The start of the minute of a time. Windows end there, so that a read model equals a fold of the journal. */
export function wholeMinute(ms: number): number {
  return ms - (ms % MINUTE_MS);
}
