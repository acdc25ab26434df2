import type { RequestListener } from 'node:http';

const REMEMBERED_MS = 10 * 60_000;

/** Whether a client, other than bots (which have a port of their own) and health checks, was there in ten minutes. */
export class ClientActivity {
  #open = 0;
  #lastMs: number;

  /** A start counts as activity. */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.#lastMs = now();
  }

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
