import type { LiveBooks } from '@paper/read-models';
import { SHARE_UNITS } from '@paper/exchange/vocabulary';
import type { Outcome } from '@paper/exchange/vocabulary';

/** A price of YES in half units, as one of this outcome. */
export const ofOutcome = (outcome: Outcome, yesHalfUnits: number): number =>
  outcome === 'yes' ? yesHalfUnits : 2 * SHARE_UNITS - yesHalfUnits;

/** The value of a YES share, as in portfolios. */
export function yesHalfUnits(books: LiveBooks, marketId: string): number {
  const market = books.market(marketId);
  if (market === null) throw new Error(`the journal has no market ${marketId} before it is used`);
  return market.probabilityHalfUnits();
}
