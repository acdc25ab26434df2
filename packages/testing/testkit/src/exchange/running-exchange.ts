import type { Journal } from '@paper/journal';

/** A whole exchange as users have it, in any wiring. */
export interface RunningExchange {
  readonly baseUrl: string;
  readonly operatorToken: string;
  /** DATA_DIR for the operators' commands, which use it to find the service. `stop` removes the folder. */
  readonly dataDir: string;
  /** Opens a reader of the exchange's journal, which the caller must close. */
  openJournal(): Promise<Journal>;
  output(): string;
  /** Sends the signal to every process, waits for their ends, and returns 0 or an exit code that was not 0. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}
