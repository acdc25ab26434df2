import { describeDivergence } from '../engine/divergence.ts';
import type { Divergence } from '../engine/divergence.ts';

export type Lag = ReturnType<typeof lagBehind>;
export type ProjectionReport = ReturnType<typeof toProjectionReport>;

/** A projection's lag behind the journal's end. `atMs`: the time of the event at `seq`; 0 without one. */
export function lagBehind(headSeq: number, { name, seq, atMs }: { name: string; seq: number; atMs: number }) {
  const lagEvents = Math.max(0, headSeq - seq);
  // The time since the last projected event, if there are later events; else 0.
  const lagMs = lagEvents === 0 || atMs === 0 ? 0 : Math.max(0, Date.now() - atMs);
  return { name, seq, lagEvents, lagMs };
}

/** A projection's status for operators. `problem`: why nothing may be read, and what to do; else null. */
export function toProjectionReport(lag: Lag, divergence: Divergence | null) {
  return { ...lag, problem: divergence === null ? null : describeDivergence(divergence) };
}
