import type { RequestListener } from 'node:http';

const REMEMBERED_MS = 10 * 60_000;

/**
 * Whether a client other than the demo's own bots has been connected within the last ten minutes, by a request or by a
 * stream that is still open. The bots use a port of their own. Health checks do not count.
 */
export class ClientActivity {
  #open = 0;
  #lastMs: number;

  /** A start counts as activity. */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.#lastMs = now();
  }

  /** Wraps an app so that its requests are counted. */
  count(app: RequestListener): RequestListener {
    return (request, response) => {
      if (request.url?.startsWith('/api/health') !== true) {
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
