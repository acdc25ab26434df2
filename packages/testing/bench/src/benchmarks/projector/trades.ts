import { decode } from '@paper/journal';
import type { JournalEvent } from '@paper/journal';
import { base, keyOf, openAccount, startEpoch, StoredExchange } from '@paper/testkit';
import { bid, listing } from '../../fixtures/commands.ts';
import { marketId } from '../../fixtures/read-model-rows.ts';

/** The events of one trade: an order that rests, one that takes it, the fill. */
export const EVENTS_PER_TRADE = 3;

const START_AT = 1_790_000_000_000;
const TRADES_A_SECOND = 1_000;

export interface Traders {
  /** Trades are between this many accounts (`account-0` and so on), in as many of the first markets. */
  readonly accounts: number;
  readonly markets: number;
}

/** An exchange with the accounts and the markets of filled read models, which decides their trades. */
export class TradingExchange {
  readonly #exchange = new StoredExchange();
  #trades = 0;

  constructor({ accounts, markets }: Traders) {
    this.#exchange.take(startEpoch());
    for (let n = 0; n < markets; n += 1) this.#exchange.take(listing(n, 2 * START_AT));
    for (let n = 0; n < accounts; n += 1) this.#exchange.take(openAccount(`account-${n}`));
  }

  get seq(): number {
    return this.#exchange.head.seq;
  }

  /** The events of `count` more trades, each between other accounts, in another market and at another price. */
  trade({ accounts, markets }: Traders, count: number): readonly JournalEvent[] {
    const events: JournalEvent[] = [];
    for (const last = this.#trades + count; this.#trades < last; this.#trades += 1) {
      const n = this.#trades;
      const yesPriceUnits = 4000 + 100 * (n % 20);
      const order = { marketId: marketId((n * 7) % markets), quantity: 1 };
      const [maker, taker] = [`account-${(n * 31) % accounts}`, `account-${(n * 31 + 17) % accounts}`];
      const resting = { outcome: 'no', priceUnits: 10_000 - yesPriceUnits, timeInForce: 'GTC' } as const;
      const taking = { outcome: 'yes', priceUnits: yesPriceUnits, timeInForce: 'IOC' } as const;
      for (const command of [
        bid(base(keyOf(maker)), { ...order, ...resting, orderId: `bench-maker-${n}` }),
        bid(base(keyOf(taker)), { ...order, ...taking, orderId: `bench-taker-${n}` }),
      ]) {
        const at = START_AT + Math.floor((n * 1000) / TRADES_A_SECOND);
        const { decision, stored } = this.#exchange.take({ ...command, at });
        if (decision.kind !== 'accepted') throw new Error(`trade ${n}: ${JSON.stringify(decision)}`);
        events.push(...stored.map(decode));
      }
    }
    return events;
  }
}
