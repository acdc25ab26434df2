import { probability } from '@paper/contracts/units';
import { SHARE_UNITS } from '@paper/exchange/vocabulary';
import type { Outcome } from '@paper/exchange/vocabulary';
import type { MarketsFold } from './market-fold.ts';

/**
 * Results to compare participants with: of no trade, and of holding one outcome. For that, the balance is divided
 * equally between the markets and spent after the first moment at the best price, whatever its quantity.
 */
export class Baselines {
  readonly #bought: { readonly marketId: string; readonly outcome: Outcome; readonly halfUnits: number }[] = [];

  /** Buys the shares; only the first call has an effect. */
  buy(markets: MarketsFold): void {
    if (this.#bought.length > 0) return;
    for (const [marketId, market] of markets.all) {
      for (const outcome of ['yes', 'no'] as const) {
        this.#bought.push({ halfUnits: market.askHalfUnits(outcome), marketId, outcome });
      }
    }
  }

  report(balanceUnits: number, markets: MarketsFold) {
    const hold = (outcome: Outcome): number | null => {
      const bought = this.#bought.filter((purchase) => purchase.outcome === outcome);
      if (bought.length === 0) return null;
      let pnlHalfUnits = 0;
      for (const { halfUnits, marketId } of bought) {
        const shares = Math.floor((2 * balanceUnits) / bought.length / halfUnits);
        const yes = markets.market(marketId).markHalfUnits;
        pnlHalfUnits += shares * ((outcome === 'yes' ? yes : 2 * SHARE_UNITS - yes) - halfUnits);
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
