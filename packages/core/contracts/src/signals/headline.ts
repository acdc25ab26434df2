import { dollars, probability } from '../units.ts';

/** The headlines of the exchange's own events, which timelines and the activity feed share. */

/** The source of an entry that comes from the exchange itself. */
export const OWN_SOURCE = 'exchange';

/** The headline of a trade, such as "10 YES at 0.55", in terms of the taker's outcome. */
export function tradeHeadline(outcome: 'yes' | 'no', quantity: number, priceUnits: number): string {
  return `${quantity} ${outcome.toUpperCase()} at ${dollars(priceUnits)}`;
}

/** The headline of a listing, such as "Listed at 0.38", with the market's prior. */
export function listingHeadline(priorHalfUnits: number): string {
  return `Listed at ${probability(priorHalfUnits)}`;
}

/** The default headline of a resolution: "Resolved YES", or for a void market "Voided at 0.5", the payout of YES. */
export function resolutionHeadline(outcome: 'yes' | 'no' | null, paidHalfUnits: number): string {
  return outcome === null ? `Voided at ${probability(paidHalfUnits)}` : `Resolved ${outcome.toUpperCase()}`;
}
