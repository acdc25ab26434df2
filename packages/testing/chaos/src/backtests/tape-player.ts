import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'paper-trading-client';
import type { Api, ApiAnswer, PaperTradingClient } from 'paper-trading-client';

const TAPE = 'made-news';
/** The time of the tape that is played between two orders. */
const STEP_MS = 60_000;
const PAUSE_MS = 250;

/** Starts one backtest after the other, and trades in each to its end or until it is gone; then requests its report. */
export class TapePlayer {
  #isWanted = true;
  readonly #client: PaperTradingClient;
  readonly #done: Promise<void>;

  /** `baseUrl`: the front door's. `key`: a key of a primary account, with the permission `master`. */
  constructor(baseUrl: string, key: string) {
    this.#client = createClient({ baseUrl, key });
    this.#done = this.#play();
  }

  /** Starts no more backtests; resolves when the current one has ended, or is gone. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    await this.#done;
  }

  async list(): Promise<readonly Api.Backtest[]> {
    return (await this.#client.request('listBacktests', {})).body.backtests;
  }

  async remove(id: string): Promise<void> {
    while ((await bodyOf(this.#client.request('deleteBacktest', { params: { id } }))) === null) await sleep(PAUSE_MS);
  }

  async #play(): Promise<void> {
    while (this.#isWanted) {
      const started = await bodyOf(this.#client.request('startBacktest', { body: { tape: TAPE } }));
      if (started === null) {
        await sleep(PAUSE_MS);
        continue;
      }
      await this.#trade(started);
      const report = { params: { id: started.id }, query: { partial: 'true' } } as const;
      await bodyOf(this.#client.request('getBacktestReport', report));
    }
  }

  async #trade({ baseUrl, participants }: Api.StartedBacktest): Promise<void> {
    const trader = createClient({ baseUrl, key: participants[0]?.apiKey ?? '' });
    const order = { marketId: TAPE, outcome: 'yes', side: 'buy', orderType: 'market', quantity: 1 } as const;
    let clock: { readonly now: string; readonly ended: boolean } | null = await bodyOf(trader.request('getClock', {}));
    while (clock !== null && !clock.ended) {
      await bodyOf(trader.request('placeOrder', { body: order }));
      const until = new Date(Date.parse(clock.now) + STEP_MS).toISOString();
      clock = await bodyOf(trader.request('advanceClock', { body: { until, wake: [] } }));
    }
  }
}

/** The body of an answer 200; null for any other answer, or without an answer. */
const bodyOf = <T>(asked: Promise<ApiAnswer<T>>): Promise<T | null> => asked.then(({ body }) => body).catch(() => null);
