import type { RunningExchange } from './running-exchange.ts';

/**
 * One exchange for several suites: the first that starts it does, and the last that stops it. All have to be announced
 * before any of them runs. Each takes markets and accounts of its own, and expects those of others beside them.
 */
export class SharedExchange {
  #announced = 0;
  #running: Promise<RunningExchange> | null = null;

  constructor(private readonly begin: () => Promise<RunningExchange>) {}

  /** A suite that will start and stop it. */
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
