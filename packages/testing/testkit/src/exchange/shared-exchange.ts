import type { RunningExchange } from './running-exchange.ts';

/**
 * One exchange for several suites: the first suite starts it, the last stops it. All must be announced before any runs.
 * Each uses its own markets and accounts, and must tolerate others.
 */
export class SharedExchange {
  #announced = 0;
  #running: Promise<RunningExchange> | null = null;

  constructor(private readonly begin: () => Promise<RunningExchange>) {}

  /** Announces a suite that will start and stop the shared exchange. */
  announce(): void {
    this.#announced += 1;
  }

  async start(): Promise<RunningExchange> {
    const running = await (this.#running ??= this.begin());
    return { ...running, stop: () => this.#leave(running) };
  }

  async #leave(running: RunningExchange): Promise<number | null> {
    this.#announced -= 1;
    return this.#announced > 0 ? 0 : running.stop();
  }
}
