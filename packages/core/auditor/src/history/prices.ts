import type { JudgedEvent } from '../events/judged-events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { probabilityHalf } from '../ledger/probability.ts';

/** The prior and the last trade of every market, updated event by event. */
export class Prices {
  readonly #of = new Map<string, { readonly prior: number; last: number | null }>();

  apply(event: JudgedEvent): void {
    if (event.type === 'MarketListed') this.#of.set(event.marketId, { prior: event.priorUnits, last: null });
    if (event.type !== 'OrderFilled') return;
    const prices = this.#of.get(event.marketId);
    if (prices !== undefined) prices.last = event.yesPriceUnits;
  }

  probabilityHalf(ledger: Ledger, marketId: string): number {
    const prices = this.#of.get(marketId);
    return prices === undefined ? 0 : probabilityHalf(ledger.market(marketId), prices);
  }
}
