import { once } from 'node:events';
import { Unavailable } from '@paper/contracts';
import type { TapeBody } from '@paper/contracts/backtests';
import { startLowPriority } from './low-priority-process.ts';

export type ReadTape = { readonly tape: TapeBody } | { readonly refused: string };

export type ReadingJob =
  | { readonly kind: 'tapes'; readonly places: readonly string[] }
  /** Writes the report of a backtest to a file. */
  | { readonly kind: 'report'; readonly folder: string; readonly partial: boolean; readonly file: string };

/** The result for each tape in order, or for the report. */
export type ReadingResult = { readonly ok: unknown } | { readonly failed: string };

const HEAP_MB = 512;

/** Reads tapes one after the other, in a separate process. If it ends early, the tape being read is at fault. */
export async function readTapes(places: readonly string[], found: (place: string, read: ReadTape) => void) {
  const left = [...places];
  while (left.length > 0) {
    const why = await readApart({ kind: 'tapes', places: left }, (result) => {
      const place = left.shift() ?? '';
      found(place, 'ok' in result ? (result.ok as ReadTape) : { refused: result.failed });
    });
    const place = left.shift();
    if (place !== undefined) found(place, { refused: `it cannot be read: ${why}` });
  }
}

/** Writes the report of a backtest, or returns why not. Throws Unavailable when the process ended. */
export async function writeReport(job: Extract<ReadingJob, { kind: 'report' }>): Promise<string | null> {
  const results: ReadingResult[] = [];
  const why = await readApart(job, (result) => results.push(result));
  const [result] = results;
  if (result === undefined) throw new Unavailable(`The report could not be made: ${why}; try again`);
  return 'ok' in result ? null : result.failed;
}

async function readApart(job: ReadingJob, onResult: (result: ReadingResult) => void): Promise<string> {
  const { child, output } = startLowPriority('host/reading-process', HEAP_MB, job, (message) =>
    onResult(message as ReadingResult),
  );
  await once(child, 'close');
  return output() === '' ? 'its process was ended' : output();
}
