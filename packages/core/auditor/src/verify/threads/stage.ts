import { Worker } from 'node:worker_threads';
import { UnknownRules } from '../state/decided-again.ts';
import type { Reply, Request } from './judging-thread.ts';
import { eventsOf } from './page.ts';
import type { FirstEvents } from './page.ts';
import { workOf } from './work.ts';
import type { StateFindings, StateOptions, Task, TextOptions, TextFindings } from './work.ts';

/** A pipeline stage: it keeps the order of pages, and accepts a page before the result of the previous one is there. */
export interface Stage<Found, Accepted = FirstEvents> {
  judge(request: Accepted): Promise<Found>;
  close(): Promise<void>;
}

/** The young generation in megabytes: a page's objects are freed before they would be promoted. */
const YOUNG_MB = 96;
const THREAD = import.meta.url.endsWith('.ts') ? 'judging-thread-from-source.mjs' : 'judging-thread.js';

export const textStage = (options: TextOptions, onThread: boolean): Stage<TextFindings> =>
  open({ kind: 'texts', options }, onThread) as Stage<TextFindings>;

export const stateStage = (options: StateOptions, onThread: boolean): Stage<StateFindings, Request> =>
  open({ kind: 'state', options }, onThread) as Stage<StateFindings, Request>;

function open(task: Task, onThread: boolean): Stage<TextFindings | StateFindings, Request> {
  if (onThread) return new ThreadStage(task);
  const work = workOf(task);
  return {
    judge: (request) => new Promise((resolve) => resolve(work(request === 'live rows' ? request : eventsOf(request)))),
    close: () => Promise.resolve(),
  };
}

interface Waiting {
  readonly resolve: (found: TextFindings | StateFindings) => void;
  readonly reject: (error: Error) => void;
}

class ThreadStage implements Stage<TextFindings | StateFindings, Request> {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #failure: Error | null = null;

  constructor(task: Task) {
    this.#worker = new Worker(new URL(THREAD, import.meta.url), {
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      workerData: task,
    });
    this.#worker.on('message', (reply: Reply) => {
      const waiting = this.#waiting.shift();
      if ('found' in reply) waiting?.resolve(reply.found);
      else waiting?.reject(reply.unknownRules ? new UnknownRules(reply.message) : new Error(reply.message));
    });
    this.#worker.once('error', (error) => this.#fail(error));
    this.#worker.once('exit', (code) => this.#fail(new Error(`a thread of the audit ended with ${code}`)));
  }

  judge(request: Request): Promise<TextFindings | StateFindings> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) {
        reject(this.#failure);
        return;
      }
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(request);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
