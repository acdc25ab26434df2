/** What runs while the projector leads. */
export interface LeadingTask {
  start(): void;
  /** Resolves when the current work is done. The task may be started again. */
  stop(): Promise<void>;
}

/** Wraps a task so that a second `start` or `stop` has no effect. */
export class StartedOnce implements LeadingTask {
  #isRunning = false;

  constructor(private readonly companion: LeadingTask | undefined) {}

  start(): void {
    if (!this.#isRunning) this.companion?.start();
    this.#isRunning = true;
  }

  async stop(): Promise<void> {
    if (this.#isRunning) await this.companion?.stop();
    this.#isRunning = false;
  }
}
