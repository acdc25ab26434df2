import type { Journal } from '@paper/journal';

/** A whole exchange as users have it, in any wiring. */
export interface RunningExchange {
  readonly baseUrl: string;
  readonly operatorToken: string;
  /** DATA_DIR for the operators' commands, which find the service by it. Removed by `stop`. */
  readonly dataDir: string;
  /** Opens a reader of the exchange's journal, which the caller must close. */
  openJournal(): Promise<Journal>;
  /** The log so far. */
  output(): string;
  /** Sends the signal to every process and waits for their ends; gives 0, or an exit code other than 0 that one had. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}
