import type { Level, Logger } from 'pino';

const MINUTE_MS = 60_000;

interface Counted {
  readonly level: Level;
  readonly route: string;
  readonly status: number;
  refused: number;
}

/** Runs `work` after a delay in milliseconds. The process does not wait for it. */
type After = (delayMs: number, work: () => void) => void;

const afterDelay: After = (delayMs, work) => void setTimeout(work, delayMs).unref();

/** Logs the first refusal of a route and status, then counts them in one line a minute (http-rules, Rate limits). */
export class RefusalLog {
  readonly #counted = new Map<string, Counted>();

  constructor(
    private readonly logger: Logger,
    private readonly after: After = afterDelay,
  ) {}

  /** Logs or counts a refusal. `request` makes the fields about the request itself. */
  add(level: Level, route: string, status: number, request: () => object): void {
    const key = `${status} ${route}`;
    const counted = this.#counted.get(key);
    if (counted !== undefined) {
      counted.refused += 1;
      return;
    }
    this.logger[level](request());
    this.#countFor(key, { level, route, status, refused: 0 });
  }

  /** Counts for a minute, and for another one if the first had refusals to log. */
  #countFor(key: string, counted: Counted): void {
    this.#counted.set(key, counted);
    this.after(MINUTE_MS, () => {
      this.#counted.delete(key);
      const { level, refused, route, status } = counted;
      if (refused === 0) return;
      this.logger[level]({ route, status, refused }, 'further requests were refused in the last minute');
      this.#countFor(key, { ...counted, refused: 0 });
    });
  }
}
