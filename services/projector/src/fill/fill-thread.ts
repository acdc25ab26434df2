import type { JournalLocation } from '@paper/journal';
import { isTransient, rebuilding } from '@paper/read-models';
import { startThread } from '@paper/runtime/resources';

/** What the thread needs: the read models' database, and where it opens the journal itself. */
export interface FillInput {
  readonly connectionString: string;
  readonly journal: Pick<JournalLocation, 'databaseUrl' | 'eventStoreUrl' | 'shard' | 'use'>;
}

/** The error that ended the fill, as it is cloned between threads: with its message and stack, without its class. */
export interface FillFailure {
  readonly error: unknown;
  /** Whether another try may succeed. */
  readonly passes: boolean;
}

export type FillMessage = { readonly progress: rebuilding.RebuildProgress } | { readonly ended: FillFailure | null };

/** A fill failed for a temporary reason: another try continues it. */
export class FillInterrupted extends Error {
  override readonly name = 'FillInterrupted';
}

/**
 * Whether another try may succeed: the fault is temporary, an operator's rebuild is running, or an operator has dropped
 * the half-filled schema.
 */
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
 * @throws FillInterrupted, or the thread's error if no further try can help
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
    const { error, passes } = ended;
    if (!passes) throw error;
    throw new FillInterrupted(error instanceof Error ? error.message : String(error), { cause: error });
  } finally {
    signal?.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
