import { Worker } from 'node:worker_threads';
import { UnknownRules } from '../state/decided-again.ts';
import type { Reply, Request } from './judging-thread.ts';
import { pageOf } from './page.ts';
import { workOf } from './work.ts';
import type { Events, StateInput, StateFindings, StateOptions, Task, TextOptions, TextFindings } from './work.ts';

/** A pipeline stage: it keeps the order of pages, and accepts a page before the result of the previous one is there. */
export interface Stage<Found, Input = Events> {
  judge(input: Input): Promise<Found>;
  close(): Promise<void>;
}

/** The young generation in megabytes: a page's objects are freed before they would be promoted. */
const YOUNG_MB = 96;
const THREAD = import.meta.url.endsWith('.ts') ? 'judging-thread-from-source.mjs' : 'judging-thread.js';

export const textStage = (options: TextOptions, onThread: boolean): Stage<TextFindings> =>
  open({ kind: 'texts', options }, onThread) as Stage<TextFindings>;

export const stateStage = (options: StateOptions, onThread: boolean): Stage<StateFindings, StateInput> =>
  open({ kind: 'state', options }, onThread) as Stage<StateFindings, StateInput>;

function open(task: Task, onThread: boolean): Stage<TextFindings | StateFindings, StateInput> {
  if (onThread) return new ThreadStage(task);
  const work = workOf(task);
  return {
    judge: (input) => new Promise((resolve) => resolve(work(input))),
    close: () => Promise.resolve(),
  };
}

interface Waiting {
  readonly resolve: (found: TextFindings | StateFindings) => void;
  readonly reject: (error: Error) => void;
}

class ThreadStage implements Stage<TextFindings | StateFindings, StateInput> {
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

  judge(input: StateInput): Promise<TextFindings | StateFindings> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) {
        reject(this.#failure);
        return;
      }
      this.#waiting.push({ resolve, reject });
      const request: Request = input === 'live rows' ? input : pageOf(input);
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
