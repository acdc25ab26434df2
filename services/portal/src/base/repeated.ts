import { createRetryLog } from '@paper/runtime';
import type { Logger, RetryLog } from '@paper/runtime';
import { pause } from '@paper/timing';

/** The interval of checks for stored jobs that a failure or a crashed portal left unfinished. */
export const JOBS_EVERY_MS = 10_000;

export interface BackgroundJob {
  readonly start: () => void;
  /** Resolves when the current work has ended. */
  readonly stop: () => Promise<void>;
}

/** Does some work at the start, then repeatedly, also after a failure, which is logged at most once a minute. */
export class Repeated implements BackgroundJob {
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;
  #pause = new AbortController();
  readonly #retries: RetryLog;

  /** @param work its signal aborts when the job stops: work of several steps ends after the current one */
  constructor(
    private readonly what: string,
    private readonly everyMs: number,
    private readonly work: (stopping: AbortSignal) => Promise<void>,
    logger: Logger,
  ) {
    this.#retries = createRetryLog(logger);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#running;
  }

  wake(): void {
    this.#pause.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const failure = `cannot ${this.what} now; trying again later`;
    while (!signal.aborted) {
      this.#pause = new AbortController();
      try {
        await this.work(signal);
        this.#retries.works(failure);
      } catch (error) {
        this.#retries.failed(failure, error);
      }
      await pause(this.everyMs, this.#pause);
    }
  }
}
