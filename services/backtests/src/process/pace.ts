import { setTimeout as delay } from 'node:timers/promises';

const TURN_MS = 2;
/** The rest for each millisecond of processor time: a backtest keeps a twentieth of a processor. */
const REST = 19;
const REST_MAX_MS = 1_000;

/**
 * The rests of a backtest while the live exchange is busy. The lowest priority is not enough: Linux lets a process that
 * runs keep the processor for some milliseconds, and two backtests beside an exchange on two processors halve its rate.
 */
export class Pace {
  isLiveBusy = false;
  #rested = process.cpuUsage();

  /** Waits, between two moments, in proportion to the processor time since the last rest. */
  async rest(): Promise<void> {
    const { system, user } = process.cpuUsage(this.#rested);
    const usedMs = (system + user) / 1_000;
    if (this.isLiveBusy && usedMs < TURN_MS) return;
    this.#rested = process.cpuUsage();
    if (this.isLiveBusy) await delay(Math.min(REST * usedMs, REST_MAX_MS));
  }
}
