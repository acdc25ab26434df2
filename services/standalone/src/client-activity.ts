import type { RequestListener } from 'node:http';

const REMEMBERED_MS = 10 * 60_000;

/**
 * Whether anybody but the demo's own bots has been connected within the last ten minutes: a request that carries no key
 * of the demo, or a stream that is still open. Health checks do not count.
 */
export class ClientActivity {
  readonly #own = new Set<string>();
  #open = 0;
  #lastMs: number;

  /** A start counts as activity. */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.#lastMs = now();
  }

  /** Requests with this key are the demo's own. */
  exclude(key: string): void {
    this.#own.add(`Bearer ${key}`);
  }

  /** The same app, whose requests are counted. */
  count(app: RequestListener): RequestListener {
    return (request, response) => {
      if (!this.#own.has(request.headers.authorization ?? '') && request.url?.startsWith('/api/health') !== true) {
        this.#open += 1;
        response.once('close', () => {
          this.#open -= 1;
          this.#lastMs = this.now();
        });
      }
      app(request, response);
    };
  }

  get isRecent(): boolean {
    return this.#open > 0 || this.now() - this.#lastMs < REMEMBERED_MS;
  }
}
