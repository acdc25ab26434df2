/** The market graph. An edge joins markets with a common company, driver or sector, and sums the weights of these. */

export interface GraphListing {
  readonly marketId: string;
  readonly companySlug: string;
  readonly sector: string;
  readonly drivers: readonly string[];
}

/** The weights of an edge: by company, by driver, by sector. */
export const COMPANY_WEIGHT = 3;
export const DRIVER_WEIGHT = 2;
export const SECTOR_WEIGHT = 1;

/** The most neighbours through one company, driver or sector: in a larger group the nearest on a ring by ids. */
export const GROUP_NEIGHBOURS_MAX = 64;

/** Edges in compressed sparse rows: those of market `i` are `offsets[i]` to `offsets[i + 1]`, sorted by neighbour. */
export interface MarketGraph {
  /** Sorted; a market's index is its position in this list. */
  readonly marketIds: readonly string[];
  readonly offsets: Uint32Array;
  readonly neighbours: Uint32Array;
  readonly weights: Float64Array;
}

/** Builds the graph. The same listings give the same graph in any order. */
export function joinMarkets(listings: readonly GraphListing[]): MarketGraph {
  const sorted = [...listings].sort((a, b) => (a.marketId < b.marketId ? -1 : 1));
  const groups = groupMarkets(sorted);
  const weightTo = new Float64Array(sorted.length);
  const offsets = new Uint32Array(sorted.length + 1);
  const neighbours: number[] = [];
  const weights: number[] = [];
  for (let market = 0; market < sorted.length; market += 1) {
    const touched: number[] = [];
    for (const { members, place, weight } of groups[market] ?? []) {
      for (const other of nearest(members, place)) {
        if (weightTo[other] === 0) touched.push(other);
        weightTo[other] = (weightTo[other] ?? 0) + weight;
      }
    }
    touched.sort((a, b) => a - b);
    for (const other of touched) {
      neighbours.push(other);
      weights.push(weightTo[other] ?? 0);
      weightTo[other] = 0;
    }
    offsets[market + 1] = neighbours.length;
  }
  return {
    marketIds: sorted.map(({ marketId }) => marketId),
    offsets,
    neighbours: Uint32Array.from(neighbours),
    weights: Float64Array.from(weights),
  };
}

interface Membership {
  readonly members: readonly number[];
  readonly place: number;
  readonly weight: number;
}

function groupMarkets(sorted: readonly GraphListing[]): Membership[][] {
  const groups = new Map<string, number[]>();
  return sorted.map((listing, market) =>
    [
      { name: `company ${listing.companySlug}`, weight: COMPANY_WEIGHT },
      { name: `sector ${listing.sector}`, weight: SECTOR_WEIGHT },
      ...[...new Set(listing.drivers)].map((driver) => ({ name: `driver ${driver}`, weight: DRIVER_WEIGHT })),
    ].map(({ name, weight }) => {
      const members = groups.get(name) ?? [];
      groups.set(name, members);
      return { members, place: members.push(market) - 1, weight };
    }),
  );
}

function* nearest(members: readonly number[], place: number): Generator<number> {
  const others = members.length - 1;
  const after = Math.min(others, GROUP_NEIGHBOURS_MAX / 2);
  const before = Math.min(others - after, GROUP_NEIGHBOURS_MAX / 2);
  for (let step = -before; step <= after; step += 1) {
    const other = members[(place + step + members.length) % members.length];
    if (step !== 0 && other !== undefined) yield other;
  }
}
