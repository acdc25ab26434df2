import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  COMPANY_WEIGHT,
  DRIVER_WEIGHT,
  GROUP_NEIGHBOURS_MAX,
  joinMarkets,
  SECTOR_WEIGHT,
} from '../src/signals-board/market-graph.ts';
import type { GraphListing, MarketGraph } from '../src/signals-board/market-graph.ts';
import { measureGraph } from '../src/signals-board/graph-metrics.ts';
import { GraphThread } from '../src/signals-board/graph-thread.ts';
import { listingsOf } from './graph-listings.ts';

/** Edges as text, each from the smaller id: `a-b 3`. */
function edges({ marketIds, offsets, neighbours, weights }: MarketGraph): string[] {
  return marketIds.flatMap((id, market) =>
    [...neighbours.slice(offsets[market], offsets[market + 1])].flatMap((neighbour, place) => {
      const other = marketIds[neighbour]!;
      return id < other ? [`${id}-${other} ${weights[offsets[market]! + place]}`] : [];
    }),
  );
}

function naiveEdges(listings: readonly GraphListing[]): string[] {
  const sorted = [...listings].sort((a, b) => (a.marketId < b.marketId ? -1 : 1));
  return sorted.flatMap((a, place) =>
    sorted.slice(place + 1).flatMap((b) => {
      const drivers = [...new Set(a.drivers)].filter((driver) => b.drivers.includes(driver)).length;
      const weight =
        drivers * DRIVER_WEIGHT +
        (a.companySlug === b.companySlug ? COMPANY_WEIGHT : 0) +
        (a.sector === b.sector ? SECTOR_WEIGHT : 0);
      return weight === 0 ? [] : [`${a.marketId}-${b.marketId} ${weight}`];
    }),
  );
}

const listings = fc.uniqueArray(
  fc.record({
    marketId: fc.stringMatching(/^[a-z]{1,3}$/),
    companySlug: fc.constantFrom('acme', 'bolt', 'cree', 'dome'),
    sector: fc.constantFrom('energy', 'health', 'energy health'),
    drivers: fc.array(fc.constantFrom('oil', 'rates', 'rain', 'acme', 'energy'), { maxLength: 4 }),
  }),
  { selector: ({ marketId }) => marketId, maxLength: 30 },
);

describe('the market graph', () => {
  it('joins markets with the sum of the weights of all that they share', () => {
    const graph = joinMarkets(listingsOf('c acme energy oil,rates', 'a acme energy oil,rates,rain', 'b bolt energy -'));
    expect(edges(graph)).to.deep.equal(['a-b 1', 'a-c 8', 'b-c 1']);
  });

  it('does not join what shares nothing, nor a driver with a sector of the same name', () => {
    expect(edges(joinMarkets(listingsOf('a acme energy oil', 'b bolt oil energy')))).to.deep.equal([]);
    expect(joinMarkets([]).marketIds).to.deep.equal([]);
  });

  it('counts a driver that a listing names twice once', () => {
    expect(edges(joinMarkets(listingsOf('a acme energy oil,oil', 'b bolt health oil,oil')))).to.deep.equal(['a-b 2']);
  });

  it('is what each pair of markets gives, in any order of the listings', () => {
    fc.assert(
      fc.property(listings, (all) => {
        expect(edges(joinMarkets(all))).to.have.members(naiveEdges(all));
        expect(joinMarkets([...all].reverse())).to.deep.equal(joinMarkets(all));
      }),
      { numRuns: 100, seed: 4 },
    );
  });

  it('joins each market of a large group with its nearest on a ring, from both ends', () => {
    const size = GROUP_NEIGHBOURS_MAX + 10;
    const all = Array.from({ length: size }, (_, n) => `m${String(n).padStart(3, '0')} c${n} energy -`);
    const graph = joinMarkets(listingsOf(...all));
    const neighboursOf = (market: number): number[] => [
      ...graph.neighbours.slice(graph.offsets[market], graph.offsets[market + 1]),
    ];
    for (let market = 0; market < size; market += 1) {
      const around = neighboursOf(market);
      expect(around).to.have.length(GROUP_NEIGHBOURS_MAX);
      for (const other of around) {
        expect(neighboursOf(other)).to.include(market);
        const distance = Math.abs(market - other);
        expect(Math.min(distance, size - distance)).to.be.at.most(GROUP_NEIGHBOURS_MAX / 2);
      }
    }
  });
});

describe('measures of the market graph', () => {
  const clustersOf = (all: readonly GraphListing[]): string[] => {
    const { marketIds, clusters } = measureGraph(all);
    return marketIds.map((id, market) => `${id}:${marketIds[clusters[market]!]}`);
  };

  it('ranks the middle of a star 1, and its ends by PageRank', () => {
    const star = listingsOf('mid c0 s0 x,y,z', 'one c1 s1 x', 'two c2 s2 y', 'six c3 s3 z');
    const { marketIds, centrality } = measureGraph(star);
    // middle = 0.15/4 + 0.85 × 3 ends, end = 0.15/4 + 0.85 × middle / 3: 0.479730 and 0.173423.
    expect(marketIds).to.deep.equal(['mid', 'one', 'six', 'two']);
    expect(centrality[0]).to.equal(1);
    for (const end of centrality.slice(1)) expect(end).to.be.closeTo(0.173423 / 0.47973, 1e-4);
  });

  it('names a cluster by its smallest member, a market alone by itself', () => {
    const all = listingsOf('d acme s1 oil', 'b acme s1 oil', 'e bolt s2 rain', 'c bolt s2 rain', 'a cree s3 -');
    expect(clustersOf(all)).to.deep.equal(['a:a', 'b:b', 'c:c', 'd:b', 'e:c']);
    expect(clustersOf(listingsOf('a acme s1 oil'))).to.deep.equal(['a:a']);
    expect(clustersOf([])).to.deep.equal([]);
  });

  it('gives the same in any order of the listings, and on a thread of its own', async () => {
    const all = Array.from({ length: 101 }, (_, n) => `m${n} c${n % 17} s${n % 4} d${n % 5},e${n % 7}`);
    const measured = measureGraph(listingsOf(...all));
    expect(measureGraph(listingsOf(...[...all].reverse()))).to.deep.equal(measured);
    const stopped = new AbortController();
    expect(await new GraphThread().measure(listingsOf(...all), stopped.signal)).to.deep.equal(measured);
    stopped.abort();
  }).timeout(60_000);

  it('is measured by one thread, however often listings change, until that ends', async () => {
    const all = Array.from({ length: 101 }, (_, n) => `m${n} c${n % 17} s${n % 4} d${n % 5},e${n % 7}`);
    const stopping = new AbortController();
    const thread = new GraphThread();
    const threads = (): number => getEventListeners(stopping.signal, 'abort').length;
    const graphs = await Promise.all([
      thread.measure(listingsOf(...all), stopping.signal),
      thread.measure(listingsOf(...all, 'n c1 s1 d1'), stopping.signal),
    ]);
    expect(graphs.map(({ marketIds }) => marketIds.length)).to.deep.equal([101, 102]);
    expect(graphs[1]).to.deep.equal(measureGraph(listingsOf(...all, 'n c1 s1 d1')));
    await thread.measure(listingsOf(...all), stopping.signal);
    expect(threads()).to.equal(1);
    const measuring = thread.measure(listingsOf(...all), stopping.signal);
    stopping.abort();
    expect(await measuring.catch(String)).to.match(/the thread of the market graph ended/);
    const late: unknown = await thread.measure(listingsOf(...all), stopping.signal).catch((error: unknown) => error);
    expect(late).to.have.property('name', 'AbortError');
  }).timeout(60_000);
});
