import { writePrivateFile } from '@paper/runtime';
import { openTape, TapeRefused } from '@paper/tapes';
import { createBacktestReport } from '../report/backtest-report.ts';
import type { ReadingJob, ReadingResult, ReadTape } from './reading.ts';

/** Runs one `ReadingJob`, which is the only message to this process. */
process.once('message', (job) => void carryOut(job as ReadingJob).finally(() => process.disconnect()));

async function carryOut(job: ReadingJob): Promise<void> {
  if (job.kind === 'report') await send(await resultOf(() => report(job)));
  else for (const place of job.places) await send(await resultOf(() => readTape(place)));
}

async function resultOf(work: () => Promise<unknown>): Promise<ReadingResult> {
  try {
    // A message is JSON, which leaves undefined values out.
    return { ok: (await work()) ?? null };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

function send(result: ReadingResult): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(result, undefined, undefined, () => resolve());
  });
}

async function report({ file, folder, partial }: Extract<ReadingJob, { kind: 'report' }>): Promise<void> {
  writePrivateFile(file, JSON.stringify(await createBacktestReport(folder, { partial })));
}

async function readTape(place: string): Promise<ReadTape | { readonly tape: object }> {
  try {
    return { tape: (await openTape(place)).summary };
  } catch (error) {
    if (error instanceof TapeRefused) return { refused: error.message };
    throw error;
  }
}
