import type { BatchCommandBody } from '@paper/contracts/operator';
import type { BatchResult } from 'paper-trading-client';

/** The import of one file into one service. */
export interface Import {
  readonly file: string;
  /** The service's URL, for the report. */
  readonly baseUrl: string;
  /** Sends the commands; returns their results in the same order. */
  readonly run: (commands: readonly BatchCommandBody[]) => Promise<readonly BatchResult[]>;
  /** Called with each failure as soon as it is found. `item`: the market, the signal or the file. */
  readonly onFault: (item: string, reason: string) => void;
}

/** The outcome of an import. */
export interface ImportReport {
  readonly failed: number;
  /** The facts of the text, for programs: counts by name, and the reasons of each. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The report for people: counts, and what to do next. */
  readonly text: string;
}
