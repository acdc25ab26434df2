import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 100;
const ANSWER_MS = 2_000;

/** Requests a page of a service repeatedly, and measures the longest time without an answer. */
export class Reachability {
  requests = 0;
  failures = 0;
  /** Between two good answers. */
  longestMs = 0;
  /** The moment at the end of that longest time, for the report. */
  longestDuring = '';
  readonly #ending = new AbortController();
  readonly #done: Promise<void>;

  /** `what` names the service and `during` the present moment, for the report. */
  constructor(
    readonly what: string,
    private readonly url: string,
    private readonly during: () => string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {
    this.#done = this.#ask();
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#done;
  }

  async #ask(): Promise<void> {
    let goodMs = performance.now();
    while (!this.#ending.signal.aborted) {
      this.requests += 1;
      if (await this.#isAnswered()) {
        this.#noteGap(performance.now() - goodMs);
        goodMs = performance.now();
      } else {
        this.failures += 1;
      }
      await sleep(EVERY_MS);
    }
    this.#noteGap(performance.now() - goodMs);
  }

  #noteGap(ms: number): void {
    if (ms <= this.longestMs) return;
    this.longestMs = ms;
    this.longestDuring = this.during();
  }

  async #isAnswered(): Promise<boolean> {
    try {
      const answer = await fetch(this.url, { headers: this.headers, signal: AbortSignal.timeout(ANSWER_MS) });
      await answer.arrayBuffer();
      // A refusal is an answer of the service too.
      return answer.status < 500;
    } catch {
      return false;
    }
  }
}
