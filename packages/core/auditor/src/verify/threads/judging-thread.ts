import { parentPort, workerData } from 'node:worker_threads';
import { UnknownRules } from '../state/decided-again.ts';
import { eventsOf } from './page.ts';
import type { Page } from './page.ts';
import { workOf } from './work.ts';
import type { Events, StateInput, StateFindings, Task, TextFindings } from './work.ts';

export type Request = Page | Exclude<StateInput, Events>;

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
