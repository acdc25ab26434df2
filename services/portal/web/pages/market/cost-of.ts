import { dollars, inOwnTerms, parseUnits } from '@paper/contracts/units';
import type { Quotes } from './market-head.tsx';

/** The price of a share at once, in dollars; null where there is none in the book. A NO costs what a YES bid leaves. */
export function costOf(
  outcome: 'yes' | 'no',
  side: 'buy' | 'sell',
  { bestYesAsk, bestYesBid }: Pick<Quotes, 'bestYesAsk' | 'bestYesBid'>,
): number | null {
  if (outcome === 'yes') return side === 'buy' ? bestYesAsk : bestYesBid;
  const units = parseUnits((side === 'buy' ? bestYesBid : bestYesAsk) ?? Number.NaN);
  return units === null ? null : dollars(inOwnTerms('no', units));
}
