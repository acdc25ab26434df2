import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { openJournal } from '@paper/journal';
import { lowerPriority, lowerThreadPriority } from '@paper/runtime/resources';
import { makePage } from './page-bytes.ts';
import type { PageAnswer, PageMessage, PageRequest } from './page-bytes.ts';
import type { PageThreadLocation } from './page-thread.ts';

/** The thread that `PageThread` starts, at a lower priority than the writer. */
const { data: location } = workerData as { readonly data: PageThreadLocation };
lowerThreadPriority();
const opened = openJournal({
  ...location,
  onError: () => undefined,
  use: 'public reader',
  ...(location.isDatabaseOurs ? { onBackend: lowerPriority } : {}),
});
// The thread ends, and the next page starts another.
opened.catch((error: unknown) => send({ closed: messageOf(error) }));
const underWay = new Map<number, AbortController>();

parentPort?.on('message', (message: PageMessage) => {
  if ('stop' in message) underWay.get(message.stop)?.abort(new Error('no client waits for this page any more'));
  else void make(message.id, message.request);
});

/** Pauses between chunks for as long as each took, so that pages take at most half of a core. */
async function make(id: number, request: PageRequest): Promise<void> {
  const stopping = new AbortController();
  underWay.set(id, stopping);
  try {
    const page = await makePage(await opened, request, stopping.signal, sleep);
    send({ id, page }, [page.bytes.buffer]);
  } catch (error) {
    send({ id, error: messageOf(error) });
  }
  underWay.delete(id);
}

function send(answer: PageAnswer, given: ArrayBuffer[] = []): void {
  parentPort?.postMessage(answer, given);
}

/** The error of a name with several addresses has an empty message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
