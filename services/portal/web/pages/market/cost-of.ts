import { dollars, inOwnTerms, parseUnits } from '@paper/contracts/units';
import type { Quotes } from './market-head.tsx';

/** The price of a share for an immediate order, in dollars; null for none. A NO costs one dollar minus the YES bid. */
export function costOf(
  outcome: 'yes' | 'no',
  side: 'buy' | 'sell',
  { bestYesAsk, bestYesBid }: Pick<Quotes, 'bestYesAsk' | 'bestYesBid'>,
): number | null {
  return ownPrice(outcome, (outcome === 'yes') === (side === 'buy') ? bestYesAsk : bestYesBid);
}

/** A price of YES as the outcome's own, in dollars, without rounding errors such as that of 1 − 0.07. */
export function ownPrice(outcome: 'yes' | 'no', yesPrice: number | null): number | null {
  if (outcome === 'yes') return yesPrice;
  const units = parseUnits(yesPrice ?? Number.NaN);
  return units === null ? null : dollars(inOwnTerms('no', units));
}
