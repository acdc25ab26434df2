import { describeDivergence, type Divergence } from '../projection/divergence.ts';

/** The lag of a projection behind the journal. */
export interface Lag {
  readonly name: string;
  readonly seq: number;
  readonly lagEvents: number;
  /** Time since the last projected event while there are later ones; 0 when there are none. */
  readonly lagMs: number;
}

/** A projection's status for operators. */
export interface ProjectionReport extends Lag {
  /** Why nothing is read of it, and what to do; null while it follows from the journal. */
  readonly problem: string | null;
}

export function reportOf(lag: Lag, divergence: Divergence | null): ProjectionReport {
  return { ...lag, problem: divergence === null ? null : describeDivergence(divergence) };
}

/** The lag of a projection that is at `seq`, whose event is of the time `at` (0: of none), behind the end of the journal. */
export function lagBehind(headSeq: number, { name, seq, at }: { name: string; seq: number; at: number }): Lag {
  const lagEvents = Math.max(0, headSeq - seq);
  return { name, seq, lagEvents, lagMs: lagEvents === 0 || at === 0 ? 0 : Math.max(0, Date.now() - at) };
}
