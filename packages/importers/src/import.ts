import type { BatchCommandBody, BatchResultBody } from '@paper/contracts';

/** One file into one service. */
export interface Import {
  readonly file: string;
  /** Of the service, for the report. */
  readonly baseUrl: string;
  /** Sends the commands; their results in the same order. */
  readonly run: (commands: readonly BatchCommandBody[]) => Promise<readonly BatchResultBody[]>;
  /** Gets each failure in words, as it is found. */
  readonly onFault: (line: string) => void;
}

/** What came of an import. */
export interface ImportReport {
  readonly failed: number;
  /** For a person: counts, and what to do next. */
  readonly text: string;
}
