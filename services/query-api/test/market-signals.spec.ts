import { DAY_MS } from '@paper/contracts/units';
import { expect } from 'chai';
import fc from 'fast-check';
import type { SignalView } from '@paper/contracts/signals';
import type { queries } from '@paper/read-models';
import { measureGraph } from '../src/signals-board/graph-metrics.ts';
import { marketSignals } from '../src/signals-board/market-signals.ts';
import { listingsOf } from './graph-listings.ts';

const AT = Date.parse('2026-11-21T12:00:00Z');

function input(line: string, more: Partial<queries.SignalInput> = {}): queries.SignalInput {
  return {
    ...listingsOf(line)[0]!,
    title: `Will ${line}?`,
    category: 'test',
    settlementSource: 'tests',
    companyImpact: 0.25,
    priorUnits: 5000,
    createdAt: AT - DAY_MS,
    closesAt: AT + DAY_MS,
    seq: 1,
    probabilityHalfUnits: 10_000,
    probabilityDayAgoHalfUnits: 10_000,
    volume: 0,
    volume24h: 0,
    volumeDayBefore: 0,
    openInterest: 0,
    bestBidUnits: null,
    bestAskUnits: null,
    fairValue: null,
    recentEvents: [],
    ...more,
  };
}

const signal: SignalView = {
  id: 's1',
  source: 'wire',
  headline: 'It rained',
  citationUrl: 'https://example.com/rain',
  publishedAt: AT - 1000,
  marketId: 'a',
  beforeHalfUnits: 10_000,
  afterHalfUnits: 11_000,
  fairProb: 0.7,
  seq: 9,
};

const signalsOf = (inputs: readonly queries.SignalInput[]) => marketSignals(inputs, measureGraph(inputs), AT);

describe('market signals', () => {
  it('says of each market what follows from itself, its sector, company, neighbours and cluster', () => {
    const all = [
      input('a acme energy oil', {
        probabilityHalfUnits: 12_000,
        probabilityDayAgoHalfUnits: 10_000,
        volume: 90,
        volume24h: 30,
        volumeDayBefore: 50,
        openInterest: 30,
        bestBidUnits: 5900,
        bestAskUnits: 6100,
        fairValue: { fairProb: 0.7, confidence: 0.8, publishedAt: AT - DAY_MS, at: AT },
        recentEvents: [signal],
      }),
      input('b acme energy oil', { probabilityHalfUnits: 8000, probabilityDayAgoHalfUnits: 8400, openInterest: 10 }),
      input('c bolt energy -', { probabilityHalfUnits: 4000, probabilityDayAgoHalfUnits: 5000 }),
      input('z cree health rain', { probabilityHalfUnits: 2000, probabilityDayAgoHalfUnits: 1000, openInterest: 60 }),
    ];
    const [a, b, c, z] = signalsOf(all);
    expect(a).to.deep.include({
      marketId: 'a',
      title: 'Will a acme energy oil?',
      companySlug: 'acme',
      sector: 'energy',
      category: 'test',
      settlementSource: 'tests',
      probabilityHalfUnits: 12_000,
      volume: 90,
      companyImpact: 0.25,
      snapshotDeltaHalfUnits: 2000,
      closesAt: AT + DAY_MS,
      volumeDelta: -20,
      sectorAvgHalfUnits: 8000,
      openInterest: 30,
      graphCentrality: 1,
      // a, b and c: 40 of 100 pairs, mean |delta| (0.1 + 0.02 + 0.05) / 3.
      clusterRiskScore: 0.4 * ((0.1 + 0.02 + 0.05) / 3) * 10,
      oracleScore: 0.8 * Math.exp(-1) * (1 - Math.abs(0.7 - 0.6)),
      // b by company, driver and sector (6), c by sector (1).
      neighborDeltaHalfUnits: (6 * -400 + 1 * -1000) / 7,
      bestBidUnits: 5900,
      bestAskUnits: 6100,
      siblingAvgHalfUnits: 8000,
      relatedDrivers: ['oil'],
      clusterIds: ['a'],
      recentEvents: [signal],
    });
    expect(b).to.deep.include({ siblingAvgHalfUnits: 12_000, oracleScore: 0, clusterIds: ['a'], volumeDelta: 0 });
    expect(c).to.deep.include({
      siblingAvgHalfUnits: null,
      sectorAvgHalfUnits: 8000,
      neighborDeltaHalfUnits: (2000 - 400) / 2,
    });
    expect(z).to.deep.include({ neighborDeltaHalfUnits: null, clusterIds: ['z'], sectorAvgHalfUnits: 2000 });
    expect(z?.clusterRiskScore).to.be.closeTo(0.6 * 0.05 * 10, 1e-12);
  });

  it('takes 0.5 for a confidence that is not given, and what is published after the minute for new', () => {
    const fairValue = { fairProb: 0.5, confidence: null, publishedAt: AT + 5000, at: AT + 5000 };
    expect(signalsOf([input('a acme energy oil', { fairValue })])[0]?.oracleScore).to.equal(0.5);
  });

  it('has no risk without open interest, and never more than 1', () => {
    expect(signalsOf([input('a acme energy -', { probabilityDayAgoHalfUnits: 0 })])[0]?.clusterRiskScore).to.equal(0);
    const moved = input('a acme energy -', { probabilityDayAgoHalfUnits: 0, openInterest: 1 });
    expect(signalsOf([moved])[0]?.clusterRiskScore).to.equal(1);
  });

  it('is empty without markets, and refuses a graph of others', () => {
    expect(signalsOf([])).to.deep.equal([]);
    const graph = measureGraph(listingsOf('b acme energy -'));
    expect(() => marketSignals([input('a acme energy -')], graph, AT)).to.throw('lacks the market a');
  });

  it('gives means that are those of the markets one by one', () => {
    const half = fc.integer({ min: 0, max: 20_000 });
    const market = fc.record({
      company: fc.constantFrom('acme', 'bolt', 'cree'),
      sector: fc.constantFrom('energy', 'health'),
      probabilityHalfUnits: half,
      probabilityDayAgoHalfUnits: half,
      openInterest: fc.nat(1000),
    });
    const mean = (values: readonly number[]): number => values.reduce((x, y) => x + y, 0) / values.length;
    fc.assert(
      fc.property(fc.array(market, { maxLength: 12 }), (markets) => {
        const inputs = markets.map(({ company, sector, ...figures }, n) =>
          input(`m${String(n).padStart(2, '0')} ${company} ${sector} -`, figures),
        );
        const signals = signalsOf(inputs);
        for (const [n, mine] of inputs.entries()) {
          const signal = signals[n]!;
          const others = inputs.filter((other) => other !== mine);
          const sector = inputs.filter((other) => other.sector === mine.sector);
          const siblings = others.filter((other) => other.companySlug === mine.companySlug);
          const members = signals.filter((other) => other.clusterIds[0] === signal.clusterIds[0]);
          const all = inputs.reduce((sum, other) => sum + other.openInterest, 0);
          const held = members.reduce((sum, other) => sum + other.openInterest, 0);
          const moved = mean(members.map((other) => Math.abs(other.snapshotDeltaHalfUnits) / 20_000));
          const risk = all === 0 ? 0 : Math.min(1, (held / all) * moved * 10);
          const pulled = others.map((other) => ({
            weight: (other.companySlug === mine.companySlug ? 3 : 0) + (other.sector === mine.sector ? 1 : 0),
            delta: other.probabilityHalfUnits - other.probabilityDayAgoHalfUnits,
          }));
          const weight = pulled.reduce((sum, each) => sum + each.weight, 0);
          const neighbours = pulled.reduce((sum, each) => sum + each.weight * each.delta, 0) / weight;

          expect(signal.sectorAvgHalfUnits).to.be.closeTo(mean(sector.map((m) => m.probabilityHalfUnits)), 1e-6);
          if (siblings.length === 0) {
            expect(signal.siblingAvgHalfUnits).to.equal(null);
          } else {
            const average = mean(siblings.map((m) => m.probabilityHalfUnits));
            expect(signal.siblingAvgHalfUnits).to.be.closeTo(average, 1e-6);
          }
          if (weight === 0) expect(signal.neighborDeltaHalfUnits).to.equal(null);
          else expect(signal.neighborDeltaHalfUnits).to.be.closeTo(neighbours, 1e-6);
          expect(signal.clusterRiskScore).to.be.closeTo(risk, 1e-9);
          const smallest = members.map((other) => other.marketId).sort()[0];
          expect(signal.clusterIds).to.deep.equal([smallest]);
        }
      }),
      { numRuns: 100, seed: 4 },
    );
  });
});
