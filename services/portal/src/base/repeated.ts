import type { Logger } from '@paper/runtime';
import { pause } from '@paper/timing';

/** Work that goes on beside requests. */
export interface BackgroundJob {
  readonly start: () => void;
  /** Resolves when the work under way has ended. */
  readonly stop: () => Promise<void>;
}

/** Does some work at the start, and again and again. A failure is logged; the next round tries again. */
export class Repeated implements BackgroundJob {
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;

  constructor(
    private readonly what: string,
    private readonly everyMs: number,
    private readonly work: () => Promise<void>,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.work();
      } catch (error) {
        this.logger.warn({ err: error }, `cannot ${this.what} now; trying again later`);
      }
      await pause(this.everyMs, this.#stopping);
    }
  }
}
