import type { GraphListing } from '../src/signals-board/market-graph.ts';

/** Listings from lines of `id company sector driver,driver`; `-` for none. */
export function listingsOf(...lines: readonly string[]): GraphListing[] {
  return lines.map((line) => {
    const [marketId = '', companySlug = '', sector = '', drivers = '-'] = line.split(' ');
    return { marketId, companySlug, sector, drivers: drivers === '-' ? [] : drivers.split(',') };
  });
}
