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

interface RefusedWork {
  /** Why there is no result. */
  readonly refused: string;
}

export type ReadTape = { readonly tape: TapeBody } | RefusedWork;
export type WrittenReport = { readonly isWritten: true } | RefusedWork;

process.once('message', (job) => void carryOut(job as ReadingJob).finally(() => process.disconnect()));

async function carryOut(job: ReadingJob): Promise<void> {
  if (job.kind === 'tapes') {
    for (const place of job.places) {
      await send(async (): Promise<ReadTape> => ({ tape: (await openTape(place)).summary }));
    }
  } else {
    await send(async (): Promise<WrittenReport> => {
      writePrivateFile(job.file, JSON.stringify(await createBacktestReport(job.folder, job)));
      return { isWritten: true };
    });
  }
}

async function send(work: () => Promise<object>): Promise<void> {
  const result = await work().catch((error: unknown): RefusedWork => ({
    refused: error instanceof Error ? error.message : String(error),
  }));
  await new Promise((resolve) => process.send?.(result, undefined, undefined, resolve));
}
