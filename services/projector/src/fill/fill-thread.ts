import type { JournalLocation } from '@paper/journal';
import { isTransient, rebuilding } from '@paper/read-models';
import { startThread } from '@paper/runtime/resources';

/** What the thread needs: the read models' database, and where it opens the journal itself. */
export interface FillInput {
  readonly connectionString: string;
  readonly journal: Pick<JournalLocation, 'databaseUrl' | 'eventStoreUrl' | 'shard' | 'use'>;
}

/** `passes`: another try may succeed. */
export interface FillFailure {
  readonly message: string;
  readonly passes: boolean;
}

export type FillMessage = { readonly progress: rebuilding.RebuildProgress } | { readonly ended: FillFailure | null };

/** A fill failed for a reason that passes: another try continues it. */
export class FillInterrupted extends Error {
  override readonly name = 'FillInterrupted';
}

/** Whether another try may help: without the fault, or after another rebuild, or in place of a dropped schema. */
export function isPassing(error: unknown): boolean {
  const { RebuildAborted, RebuildRunning } = rebuilding;
  const isOfFill = [FillInterrupted, RebuildAborted, RebuildRunning].some((type) => error instanceof type);
  return isOfFill || isTransient(error);
}

/** The young generation in megabytes: rows of a batch would outlive a smaller one and be copied repeatedly. */
const YOUNG_MB = 48;

/**
 * Refills the read models as `rebuild` does, on a thread of its own: the event loop stays free for commands, requests and
 * leases, and the memory of the fill is given back at its end. A signal ends it as it ends `rebuild`.
 * @throws FillInterrupted, or an Error that no further try can help, with the message of the thread's error
 */
export async function refillOnThread(
  input: FillInput,
  { onProgress, signal }: Pick<rebuilding.RebuildOptions, 'onProgress' | 'signal'>,
): Promise<void> {
  signal?.throwIfAborted();
  const worker = startThread('fill-worker', import.meta.url, input, YOUNG_MB);
  const abort = (): void => worker.postMessage('abort');
  signal?.addEventListener('abort', abort);
  try {
    const ended = await new Promise<FillFailure | null>((resolve, reject) => {
      worker.on('message', (message: FillMessage) => {
        if ('progress' in message) onProgress?.(message.progress);
        else resolve(message.ended);
      });
      worker.on('error', reject);
      worker.on('exit', (code) => reject(new FillInterrupted(`the thread of the fill ended with ${code}`)));
    });
    signal?.throwIfAborted();
    if (ended === null) return;
    throw ended.passes ? new FillInterrupted(ended.message) : new Error(ended.message);
  } finally {
    signal?.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
