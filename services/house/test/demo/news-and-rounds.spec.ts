import { ListMarketInput, RecordSignalInput, ResolveMarketInput } from '@paper/contracts/operator';
import { createRandom } from '@paper/testkit';
import { expect } from 'chai';
import { newestFairValues, nextNews, signalOf } from '../../src/demo/news.ts';
import { isRound, missingRounds, resolutionOf } from '../../src/demo/rounds.ts';
import { demoMarkets } from './simulated-demo.ts';

const random = createRandom(11);
const chance = (): number => random.next() / 2 ** 32;
const NOW = Date.UTC(2026, 10, 23, 4, 0, 30);
const PLACE = { baseUrl: 'http://127.0.0.1:4000', chance, nowMs: NOW };
const markets = demoMarkets(12);

describe('the news of the demo', () => {
  it('come to every market before one has a second signal', () => {
    const at = new Map<string, number>();
    for (let turn = 1; turn <= markets.length; turn += 1) {
      const news = nextNews(markets, at, chance) ?? expect.fail('no news');
      at.set(news.market.id, turn);
    }
    expect(at.size).to.equal(markets.length);
  });

  it('move the market most, and those that share the driver a little, the same way', () => {
    for (let turn = 0; turn < 50; turn += 1) {
      const { driver, market, moves } = nextNews(markets, new Map(), chance) ?? expect.fail('no news');
      const own = moves.get(market.id) ?? 0;
      expect(Math.abs(own)).to.be.within(0.035, 0.07);
      const sharing = markets.filter(({ drivers }) => drivers.includes(driver)).map(({ id }) => id);
      expect([...moves.keys()]).to.have.members(sharing);
      for (const [id, by] of moves) if (id !== market.id) expect(by).to.be.closeTo(own * 0.25, 1e-12);
    }
  });

  it('are none where there is no market', () => {
    expect(nextNews([], new Map(), chance)).to.equal(null);
  });

  it('are reported as invented, in a form that the operator API accepts, near the hidden value', () => {
    const news = nextNews(markets, new Map(), chance) ?? expect.fail('no news');
    const report = signalOf(news, 0.5, PLACE);
    expect(RecordSignalInput.safeParse(report).error).to.equal(undefined);
    expect(report.source).to.equal('Demo (invented)');
    expect(report.headline).to.match(/^Invented for the demo: a report on \S+ (lifts|lowers) M\d+ to \d+\.\d%$/);
    expect(report.fairProb).to.be.closeTo(0.5, 0.06);
    expect(report.externalId).to.equal(`${news.market.id}@20261123T040030Z`);
    const page = new URL(report.citationUrl);
    expect(page.pathname).to.equal('/demo-signal');
    expect(Object.fromEntries(page.searchParams)).to.deep.equal({ market: news.market.id, signal: report.externalId });
  });

  it('give the newest fair value of each market, whatever the order of the list', () => {
    const base = { id: '', headline: '', citationUrl: '', marketProbAfter: null, marketProbBefore: null, source: 's' };
    const signal = (marketId: string | null, seq: number, fairProb: number | null) => ({
      ...base,
      fairProb,
      marketId,
      seq,
      publishedAt: '2026-11-23T04:00:00.000Z',
    });
    const newest = newestFairValues([
      signal('a', 3, 0.3),
      signal('a', 5, 0.5),
      signal('a', 4, 0.4),
      signal(null, 9, 0.9),
      signal('b', 6, null),
    ]);
    expect([...newest.keys()]).to.deep.equal(['a']);
    expect(newest.get('a')).to.deep.include({ seq: 5, fairProb: 0.5, publishedAtMs: Date.UTC(2026, 10, 23, 4) });
  });
});

describe('the short markets of the demo', () => {
  const pace = { isNew: false, isWatched: true };

  it('are one of each series, listings that the operator API accepts, and close on a minute', () => {
    const listings = missingRounds([], pace, NOW, chance);
    expect(listings).to.have.length(4);
    for (const listing of listings) {
      expect(ListMarketInput.safeParse(listing).error, listing.id).to.equal(undefined);
      expect(isRound(listing.id), listing.id).to.equal(true);
      expect(Date.parse(listing.closesAt) % 60_000).to.equal(0);
      expect(listing.title).to.include('invented');
    }
    expect(listings[0]?.id).to.equal('demo-rain-20261123T0431');
    expect(isRound('demo-rain-soon')).to.equal(false);
    expect(isRound('apple-foldable-2027')).to.equal(false);
  });

  it('are listed where one is missing, and not where one is open', () => {
    const open = missingRounds([], pace, NOW, chance).map(({ closesAt, id }) => ({
      marketId: id,
      closesAtMs: Date.parse(closesAt),
    }));
    expect(missingRounds(open, pace, NOW, chance)).to.deep.equal([]);
    const [only] = missingRounds(open.slice(1), pace, NOW, chance);
    expect(only?.id).to.match(/^demo-rain-/);
  });

  it('end within minutes in a new world, one after the other, and rarely while nobody looks', () => {
    const minutes = (of: typeof pace) =>
      missingRounds([], of, NOW, chance).map(({ closesAt }) => Math.floor((Date.parse(closesAt) - NOW) / 60_000));
    expect(minutes({ isNew: true, isWatched: true })).to.deep.equal([2, 3, 4, 5]);
    expect(minutes({ isNew: false, isWatched: false })).to.deep.equal([180, 181, 182, 183]);
  });

  it('have an outcome by chance, as likely as the hidden value says', () => {
    const parts = { baseUrl: PLACE.baseUrl, chance };
    const resolutions = Array.from({ length: 2_000 }, () => resolutionOf('demo-rain-20261123T0431', 0.3, parts));
    expect(ResolveMarketInput.safeParse(resolutions[0]).error).to.equal(undefined);
    expect(resolutions.filter(({ outcome }) => outcome === 'yes').length / 2_000).to.be.closeTo(0.3, 0.04);
    for (const { headline, outcome } of resolutions.slice(0, 20)) {
      expect(headline).to.equal(
        `Invented for the demo: ${outcome === 'yes' ? 'it rained in Demo City' : 'it stayed dry in Demo City'}`,
      );
    }
  });
});
