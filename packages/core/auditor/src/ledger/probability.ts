import type { BookMarket } from './ledger.ts';

const SPREAD_MAX_UNITS = 1_000;

/** The probability in half units: the payout, else the middle of a narrow spread, else the last trade, else the prior. */
export function probabilityHalf(
  book: BookMarket,
  prices: { readonly prior: number; readonly last: number | null },
): number {
  if (book.yesPays !== null) return 2 * book.yesPays;
  return middleHalf(book) ?? 2 * (prices.last ?? prices.prior);
}

/** The middle of a spread of at most $0.10, in half units; null if there is none. */
export function middleHalf({ asks, bids }: BookMarket): number | null {
  const bid = bids[0]?.yesPrice;
  const ask = asks[0]?.yesPrice;
  return bid !== undefined && ask !== undefined && ask - bid <= SPREAD_MAX_UNITS ? bid + ask : null;
}
