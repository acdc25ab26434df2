import type { TapeBody } from '@paper/contracts/backtests';
import { writePrivateFile } from '@paper/runtime';
import { openTape } from '@paper/tapes';
import { createBacktestReport } from '../report/backtest-report.ts';

/** The only message to this process. */
export type ReadingJob =
  /** Reads tapes one after the other, and sends a `ReadTape` for each in their order. */
  | { readonly kind: 'tapes'; readonly places: readonly string[] }
  /** Writes the report of a backtest to a file, and sends a `WrittenReport`. */
  | { readonly kind: 'report'; readonly folder: string; readonly partial: boolean; readonly file: string };

export type ReadTape = { readonly tape: TapeBody } | { readonly refused: string };

export interface WrittenReport {
  /** Why there is nothing to report; null if the report was written. */
  readonly why: string | null;
}

process.once('message', (job) => void carryOut(job as ReadingJob).finally(() => process.disconnect()));

async function carryOut(job: ReadingJob): Promise<void> {
  if (job.kind === 'report') await send(await report(job));
  else for (const place of job.places) await send(await readTape(place));
}

function send(result: ReadTape | WrittenReport): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(result, undefined, undefined, () => resolve());
  });
}

async function readTape(place: string): Promise<ReadTape> {
  try {
    return { tape: (await openTape(place)).summary };
  } catch (error) {
    return { refused: textOf(error) };
  }
}

async function report({ file, folder, partial }: Extract<ReadingJob, { kind: 'report' }>): Promise<WrittenReport> {
  try {
    writePrivateFile(file, JSON.stringify(await createBacktestReport(folder, { partial })));
    return { why: null };
  } catch (error) {
    return { why: textOf(error) };
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
