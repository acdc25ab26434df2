import { pause } from '@paper/timing';

const TURN_MS = 2;
/** The rest for each millisecond of processor time: playing keeps a twentieth of a processor. */
const REST = 19;
const REST_MAX_MS = 1_000;

/** The processor time of the process in ms, all threads together. */
function usedByProcessMs(): number {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1_000;
}

/**
 * The rests of a backtest between moments while the live exchange is busy. The lowest priority is not enough: Linux lets
 * a process that runs keep the processor for some milliseconds, and two backtests beside an exchange on two processors
 * halve its rate.
 */
export class Pace {
  isLiveBusy = false;
  #restedMs: number;

  constructor(private readonly usedMs = usedByProcessMs) {
    this.#restedMs = usedMs();
  }

  /** Waits, between two moments, in proportion to the processor time since the last rest. */
  async rest(): Promise<void> {
    const nowMs = this.usedMs();
    const workedMs = nowMs - this.#restedMs;
    if (this.isLiveBusy && workedMs < TURN_MS) return;
    this.#restedMs = nowMs;
    if (this.isLiveBusy) await pause(Math.min(REST * workedMs, REST_MAX_MS));
  }
}
