/** Runs while the projector leads. */
export interface LeadingTask {
  start(): void;
  /** Resolves when the work under way is done. The companion may be started again. */
  stop(): Promise<void>;
}

/** A companion whose `start` and `stop` have no effect when called twice. */
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
