import type { BatchCommandBody } from '@paper/contracts/operator';
import type { BatchResult } from 'paper-trading-client';

/** The import of one file into one service. */
export interface Import {
  readonly file: string;
  /** The service's URL, for the report. */
  readonly baseUrl: string;
  /** Sends the commands; gives their results in the same order. */
  readonly run: (commands: readonly BatchCommandBody[]) => Promise<readonly BatchResult[]>;
  /** Called with the text of each failure as soon as it is found. */
  readonly onFault: (line: string) => void;
}

/** The outcome of an import. */
export interface ImportReport {
  readonly failed: number;
  /** A text for people: counts, and what to do next. */
  readonly text: string;
}
