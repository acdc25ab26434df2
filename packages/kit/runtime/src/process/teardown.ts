import type { Logger } from '../logger.ts';

/** The parts of a process that were started, which are stopped in reverse order. */
export interface Teardown {
  /** Registers how to stop a part that was just started. If stopping has already begun, the part is stopped at once. */
  add(name: string, stop: () => void | Promise<void>): Promise<void>;
  /** Stops all parts, the last started first. A part that fails is logged. A second call returns the same promise. */
  run(): Promise<void>;
  /** Begins to stop the remaining parts without waiting, for a process that ends too soon. */
  abandon(): void;
  begun(): boolean;
}

export function createTeardown(logger: Logger): Teardown {
  const steps: { name: string; stop: () => void | Promise<void> }[] = [];
  let running: Promise<void> | null = null;
  const stopOne = async ({ name, stop }: (typeof steps)[number]): Promise<void> => {
    const startedMs = performance.now();
    try {
      await stop();
      logger.info({ part: name, ms: Math.round(performance.now() - startedMs) }, 'stopped');
    } catch (error) {
      logger.error({ part: name, err: error }, 'stopping failed');
    }
  };
  const stopAll = async (): Promise<void> => {
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) await stopOne(step);
  };
  return {
    async add(name, stop) {
      if (running !== null) await stopOne({ name, stop });
      else steps.push({ name, stop });
    },
    run: () => (running ??= stopAll()),
    abandon() {
      for (const step of steps.splice(0).toReversed()) void stopOne(step);
    },
    begun: () => running !== null,
  };
}
