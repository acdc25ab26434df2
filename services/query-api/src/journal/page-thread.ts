import type { Worker } from 'node:worker_threads';
import type { JournalLocation } from '@paper/journal';
import { startThread } from '@paper/runtime/resources';
import type { PageAnswer, PageBytes, PageMessage, PageRequest, PageSource } from './page-bytes.ts';

export interface PageThreadLocation extends Pick<JournalLocation, 'databaseUrl' | 'eventStoreUrl' | 'shard'> {
  /** Whether this process started the database's server: then the thread lowers the priority of its own backend. */
  readonly isDatabaseOurs: boolean;
}

interface Waiting {
  readonly resolve: (page: PageBytes) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Makes pages of the public journal on a thread with its own database connection, which starts with the first page, and
 * again if it has ended.
 */
export class PageThread implements PageSource {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #lastId = 0;
  #stopped = false;

  constructor(private readonly location: PageThreadLocation) {}

  page(request: PageRequest, signal: AbortSignal): Promise<PageBytes> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (this.#stopped) throw new Error('the service is stopping');
      const worker = (this.#worker ??= this.#start());
      const id = (this.#lastId += 1);
      const onAbort = (): void => {
        send(worker, { stop: id });
        this.#waiting.get(id)?.reject(signal.reason as Error);
      };
      const end = (): void => {
        this.#waiting.delete(id);
        signal.removeEventListener('abort', onAbort);
      };
      this.#waiting.set(id, {
        resolve: (page) => {
          end();
          resolve(page);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      });
      signal.addEventListener('abort', onAbort, { once: true });
      send(worker, { id, request });
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = startThread('page-worker', import.meta.url, this.location);
    const end = (reason: Error): void => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      for (const waiting of [...this.#waiting.values()]) waiting.reject(reason);
      void worker.terminate();
    };
    worker.on('message', (answer: PageAnswer) => {
      if ('closed' in answer) end(new Error(answer.closed));
      else if ('page' in answer) this.#waiting.get(answer.id)?.resolve(answer.page);
      else this.#waiting.get(answer.id)?.reject(new Error(answer.error));
    });
    worker.on('error', end);
    worker.on('exit', () => end(new Error('the thread that makes pages of the journal has ended')));
    return worker;
  }
}

function send(worker: Worker, message: PageMessage): void {
  worker.postMessage(message);
}
