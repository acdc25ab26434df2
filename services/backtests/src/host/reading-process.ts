import { openTape, TapeRefused } from '@paper/tapes';
import type { ReadingJob, ReadingResult, ReadTape } from './reading.ts';

/** The process of one `ReadingJob`, which is its only message. */
process.once('message', (job) => void carryOut(job as ReadingJob).finally(() => process.disconnect()));

async function carryOut({ places }: ReadingJob): Promise<void> {
  for (const place of places) await send(await readTape(place));
}

function send(result: ReadingResult): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(result, undefined, undefined, () => resolve());
  });
}

async function readTape(place: string): Promise<ReadingResult> {
  try {
    return { ok: { tape: (await openTape(place)).summary } satisfies { readonly tape: object } };
  } catch (error) {
    if (error instanceof TapeRefused) return { ok: { refused: error.message } satisfies ReadTape };
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}
