import { parentPort, workerData } from 'node:worker_threads';
import { openJournal } from '@paper/journal';
import { rebuilding } from '@paper/read-models';
import { FillInterrupted, isPassing } from './fill-thread.ts';
import type { FillFailure, FillInput, FillMessage } from './fill-thread.ts';

/** The thread that `refillOnThread` starts. */
const { data: input } = workerData as { readonly data: FillInput };
const aborting = new AbortController();
parentPort?.on('message', () => aborting.abort());
send({
  ended: await fill().then(
    () => null,
    (error: unknown): FillFailure => ({ error, passes: isPassing(error) }),
  ),
});

async function fill(): Promise<void> {
  const { connectionString } = input;
  const journal = await openJournal(input.journal).catch((error: unknown) => {
    // The process itself has opened it, so it is away for a while.
    throw new FillInterrupted(error instanceof Error ? error.message : String(error), { cause: error });
  });
  try {
    await rebuilding.rebuild({
      connectionString,
      journal: rebuilding.retryable(journal),
      signal: aborting.signal,
      onProgress: (progress) => send({ progress }),
    });
  } finally {
    await journal.close();
  }
}

function send(message: FillMessage): void {
  parentPort?.postMessage(message);
}
