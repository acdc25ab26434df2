import { parentPort, workerData } from 'node:worker_threads';
import { UnknownRules } from '../state/decided-again.ts';
import { eventsOf } from './page.ts';
import { workOf } from './work.ts';
import type { FirstEvents } from './page.ts';
import type { StateFindings, Task, TextFindings } from './work.ts';

/** Only the judge of content is asked for live rows. */
export type Request = FirstEvents | 'live rows';

export type Reply =
  | { readonly found: TextFindings | StateFindings }
  | { readonly message: string; readonly unknownRules: boolean };

const work = workOf(workerData as Task);
parentPort?.on('message', (request: Request) => {
  parentPort?.postMessage(replyTo(request));
});

function replyTo(request: Request): Reply {
  try {
    return { found: work(request === 'live rows' ? request : eventsOf(request)) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { message, unknownRules: error instanceof UnknownRules };
  }
}
