import { parentPort, workerData } from 'node:worker_threads';
import { UnknownRules } from '../decided-again.ts';
import { eventsOf, type Page } from '../page.ts';
import { type StateFound, type Task, type TextsFound, workOf } from '../work.ts';

/** What comes back for each page. */
export type Reply =
  { readonly found: TextsFound | StateFound } | { readonly message: string; readonly unknownRules: boolean };

/** A thread of the audit: pages in, what was found in each out. */
const work = workOf(workerData as Task);
parentPort?.on('message', (page: Page) => {
  parentPort?.postMessage(replyTo(page));
});

function replyTo(page: Page): Reply {
  try {
    return { found: work(eventsOf(page)) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { message, unknownRules: error instanceof UnknownRules };
  }
}
