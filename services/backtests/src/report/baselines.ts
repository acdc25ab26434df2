import { probability } from '@paper/contracts/units';
import type { LiveBooks } from '@paper/read-models';
import { OUTCOMES } from '@paper/exchange/vocabulary';
import type { Outcome } from '@paper/exchange/vocabulary';
import { ofOutcome, yesHalfUnits } from './marks.ts';

/**
 * Results to compare participants with: of no trade, and of holding one outcome. For that, the balance is divided
 * equally between the markets that trade then, and spent after the first moment at the best price, whatever its quantity.
 */
export class Baselines {
  #bought: readonly { readonly marketId: string; readonly outcome: Outcome; readonly halfUnits: number }[] = [];

  /** Buys the shares; only the first call after the markets were listed has an effect. */
  buy(marketIds: readonly string[], books: LiveBooks): void {
    if (this.#bought.length > 0) return;
    this.#bought = marketIds.flatMap((marketId) => {
      const market = books.market(marketId);
      return OUTCOMES.flatMap((outcome) => {
        if (market?.phase !== 'active') return [];
        const bestUnits = outcome === 'yes' ? market.asks.bestUnits : market.bids.bestUnits;
        const yes = bestUnits === null ? market.probabilityHalfUnits() : 2 * bestUnits;
        return [{ halfUnits: ofOutcome(outcome, yes), marketId, outcome }];
      });
    });
  }

  report(balanceUnits: number, books: LiveBooks) {
    const hold = (outcome: Outcome): number | null => {
      const bought = this.#bought.filter((purchase) => purchase.outcome === outcome);
      if (bought.length === 0) return null;
      let pnlHalfUnits = 0;
      for (const { halfUnits, marketId } of bought) {
        const shares = Math.floor((2 * balanceUnits) / bought.length / halfUnits);
        pnlHalfUnits += shares * (ofOutcome(outcome, yesHalfUnits(books, marketId)) - halfUnits);
      }
      return probability(pnlHalfUnits);
    };
    return [
      { name: 'nothing' as const, pnl: 0 },
      { name: 'hold_yes' as const, pnl: hold('yes') },
      { name: 'hold_no' as const, pnl: hold('no') },
    ];
  }
}
