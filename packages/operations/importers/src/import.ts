import type { BatchCommandBody } from '@paper/contracts/operator';
import type { BatchResult } from 'paper-trading-client';

/** The import of one file into one service. */
export interface Import {
  readonly file: string;
  readonly baseUrl: string;
  readonly run: (commands: readonly BatchCommandBody[]) => Promise<readonly BatchResult[]>;
  /** Called at once with each failure of a market, a signal or the file. */
  readonly onFault: (item: string, reason: string) => void;
}

/** The outcome of an import, with a text for people. */
export interface ImportReport {
  readonly failed: number;
  /** The report for programs, as JSON: counts by name, with the reasons of each. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly text: string;
}
