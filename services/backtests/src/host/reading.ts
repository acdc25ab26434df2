import { once } from 'node:events';
import { Unavailable } from '@paper/contracts';
import type { TapeBody } from '@paper/contracts/backtests';
import { startApart } from './apart.ts';

/** What a tape is found to be. */
export type ReadTape = { readonly tape: TapeBody } | { readonly refused: string };

/** Work on whole files, for a process of its own. */
export type ReadingJob =
  | { readonly kind: 'tapes'; readonly places: readonly string[] }
  /** Writes the report of a backtest to a file. */
  | { readonly kind: 'report'; readonly folder: string; readonly partial: boolean; readonly file: string };

/** Of one tape after the other, or of the report. */
export type ReadingResult = { readonly ok: unknown } | { readonly failed: string };

const HEAP_MB = 512;

/** Reads tapes in a process of their own, one after the other. One that ends the process is the fault of its tape. */
export async function readTapes(
  places: readonly string[],
  found: (place: string, read: ReadTape) => void,
): Promise<void> {
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

/** Makes the report of a backtest; gives the reason where that is not possible. @throws Unavailable where its process ended */
export async function writeReport(job: Extract<ReadingJob, { kind: 'report' }>): Promise<string | null> {
  const results: ReadingResult[] = [];
  const why = await readApart(job, (result) => results.push(result));
  const [result] = results;
  if (result === undefined) throw new Unavailable(`The report could not be made: ${why}; try again`);
  return 'ok' in result ? null : result.failed;
}

/** Gives the end of what the process has written about a failure. */
async function readApart(job: ReadingJob, onResult: (result: ReadingResult) => void): Promise<string> {
  const { child, output } = startApart('host/reading-process', HEAP_MB, job, (message) =>
    onResult(message as ReadingResult),
  );
  await once(child, 'close');
  return output() === '' ? 'its process was ended' : output();
}
