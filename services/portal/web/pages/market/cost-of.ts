import { dollars, inOwnTerms, parseUnits } from '@paper/contracts/units';
import type { BestPrices } from './market-head.tsx';

/** The price of an immediate order, in dollars a share; null without an offer. NO costs $1 minus the bid for YES. */
export function costOf(outcome: 'yes' | 'no', side: 'buy' | 'sell', quotes: BestPrices): number | null {
  return ownPrice(outcome, (outcome === 'yes') === (side === 'buy') ? quotes.bestYesAsk : quotes.bestYesBid);
}

/** Converts a price of YES to the outcome's own, in dollars, without rounding errors such as that of 1 − 0.07. */
export function ownPrice(outcome: 'yes' | 'no', yesPrice: number | null): number | null {
  if (outcome === 'yes') return yesPrice;
  const units = parseUnits(yesPrice ?? Number.NaN);
  return units === null ? null : dollars(inOwnTerms('no', units));
}
