import type { Logger } from '@paper/runtime';
import { pause } from '@paper/timing';

/** Work in the background. */
export interface BackgroundJob {
  readonly start: () => void;
  /** Resolves when the work under way has ended. */
  readonly stop: () => Promise<void>;
}

/** Does some work at the start, and again and again. A failure is logged; the next round tries again. */
export class Repeated implements BackgroundJob {
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;
  #pause = new AbortController();

  /** @param work its signal aborts when the job stops: work of several steps ends after the one under way */
  constructor(
    private readonly what: string,
    private readonly everyMs: number,
    private readonly work: (stopping: AbortSignal) => Promise<void>,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#running;
  }

  /** Begins the next round without waiting for it. */
  wake(): void {
    this.#pause.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#pause = new AbortController();
      try {
        await this.work(signal);
      } catch (error) {
        this.logger.warn({ err: error }, `cannot ${this.what} now; trying again later`);
      }
      await pause(this.everyMs, this.#pause);
    }
  }
}
