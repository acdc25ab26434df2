import type { Journal } from '@paper/journal';

/** The whole exchange as its users have it, however it is wired. */
export interface RunningExchange {
  readonly baseUrl: string;
  readonly operatorToken: string;
  /** The operators' commands find the service by it (DATA_DIR). It goes with `stop`. */
  readonly dataDir: string;
  /** A reader of its journal, to be closed. */
  openJournal(): Promise<Journal>;
  /** Everything that was logged so far. */
  output(): string;
  /** Sends the signal to every process and waits for their ends; gives 0, or the exit code of one that had another. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}
