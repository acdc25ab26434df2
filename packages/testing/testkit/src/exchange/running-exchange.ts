import type { Journal } from '@paper/journal';

/** A whole exchange as users have it, in any wiring. */
export interface RunningExchange {
  readonly baseUrl: string;
  readonly operatorToken: string;
  /** DATA_DIR for the operators' commands, which use it to find the service. `stop` removes the folder. */
  readonly dataDir: string;
  /** Opens a reader of the exchange's journal, which the caller must close. */
  openJournal(): Promise<Journal>;
  /** The whole log so far. */
  output(): string;
  /**
   * Sends the signal to every process and waits for their ends. Returns 0, or an exit code other than 0 if a process
   * had one.
   */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}
