import { describeDivergence } from '../engine/divergence.ts';
import type { Divergence } from '../engine/divergence.ts';

/** The lag of a projection behind the journal. */
export interface Lag {
  readonly name: string;
  readonly seq: number;
  readonly lagEvents: number;
  /** The time since the last projected event, if there are later events; else 0. */
  readonly lagMs: number;
}

/** A projection's status for operators. */
export interface ProjectionReport extends Lag {
  /** The reason why the read models must not be read, and what to do; null while they match the journal. */
  readonly problem: string | null;
}

export function reportOf(lag: Lag, divergence: Divergence | null): ProjectionReport {
  return { ...lag, problem: divergence === null ? null : describeDivergence(divergence) };
}

/** The lag behind the end of the journal. `atMs`: the time of the event at `seq`; 0 without one. */
export function lagBehind(headSeq: number, { name, seq, atMs }: { name: string; seq: number; atMs: number }): Lag {
  const lagEvents = Math.max(0, headSeq - seq);
  return { name, seq, lagEvents, lagMs: lagEvents === 0 || atMs === 0 ? 0 : Math.max(0, Date.now() - atMs) };
}
