import { setTimeout as sleep } from 'node:timers/promises';

interface Started {
  readonly baseUrl: string;
  readonly participants: readonly { readonly apiKey?: string }[];
}

interface Clock {
  readonly now: string;
  readonly ended: boolean;
}

/** A backtest as GET /api/backtests lists it. */
export interface ListedBacktest {
  readonly id: string;
  readonly state: string;
  readonly why: string | null;
}

const TAPE = 'made-news';
/** The time of the tape that is played between two orders. */
const STEP_MS = 60_000;
const PAUSE_MS = 250;

/** Starts one backtest after the other, and trades in each to its end or until it is gone; then requests its report. */
export class TapePlayer {
  #isWanted = true;
  readonly #done: Promise<void>;

  /** `baseUrl`: of the front door; `key`: of a primary account, with `master`. */
  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
  ) {
    this.#done = this.#play();
  }

  /** Starts no more backtests; resolves when the current one has ended, or is gone. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    await this.#done;
  }

  async list(): Promise<readonly ListedBacktest[]> {
    const answer = await this.#ask<{ readonly backtests: readonly ListedBacktest[] }>('GET', '/api/backtests');
    if (answer === null) throw new Error('backtests are not listed now');
    return answer.backtests;
  }

  async remove(id: string): Promise<void> {
    while ((await this.#ask('DELETE', `/api/backtests/${id}`)) === null) await sleep(PAUSE_MS);
  }

  async #play(): Promise<void> {
    while (this.#isWanted) {
      const started = await this.#ask<Started & ListedBacktest>('POST', '/api/backtests', { tape: TAPE });
      if (started === null) {
        await sleep(PAUSE_MS);
        continue;
      }
      await this.#trade(started);
      await this.#ask('GET', `/api/backtests/${started.id}/report?partial=true`);
    }
  }

  async #trade({ baseUrl, participants }: Started): Promise<void> {
    const key = participants[0]?.apiKey ?? '';
    const order = { marketId: TAPE, outcome: 'yes', side: 'buy', orderType: 'market', quantity: 1 };
    let clock = await ask<Clock>(`${baseUrl}/api/clock`, key, 'GET');
    while (clock !== null && !clock.ended) {
      await ask(`${baseUrl}/api/orders`, key, 'POST', order);
      const until: string = new Date(Date.parse(clock.now) + STEP_MS).toISOString();
      clock = await ask<Clock>(`${baseUrl}/api/clock/advance`, key, 'POST', { until, wake: [] });
    }
  }

  #ask<T>(method: string, where: string, body?: object): Promise<T | null> {
    return ask<T>(`${this.baseUrl}${where}`, this.key, method, body);
  }
}

/** The body of a 200; null for any other answer, and for none. */
async function ask<T>(url: string, key: string, method: string, body?: object): Promise<T | null> {
  try {
    const answer = await fetch(url, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answered: unknown = await answer.json();
    return answer.ok ? (answered as T) : null;
  } catch {
    return null;
  }
}
