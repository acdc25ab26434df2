import type { MarketBody } from '@paper/contracts/markets';
import { HOUR_MS, MINUTE_MS } from '@paper/contracts/units';
import type { Command } from '@paper/exchange/commands';
import { base, listMarket, OPERATOR, orderFrom, SYSTEM } from '@paper/testkit';
import { expect } from 'chai';
import type { ReadHarness } from './read-harness.ts';
import { get, trade, tradingHarness } from './trading-harness.ts';

/** A whole hour of UTC, and half an hour after it: what is now. */
const HOUR = Date.UTC(2026, 10, 21, 12);
const NOW = HOUR + 30 * MINUTE_MS;
const CLOSES_AT = Date.UTC(2099, 0);

const hoursAgo = (hours: number): number => HOUR - hours * HOUR_MS;
const at = (ms: number, command: Command): Command => ({ ...command, at: ms });
const listed = (ms: number, id: string): Command => at(ms, listMarket(id, { closesAt: CLOSES_AT }));

let trades = 0;
/** Two orders that trade at this price in YES terms and leave no quote. */
const traded = (ms: number, price: number, marketId: string): readonly Command[] => {
  trades += 1;
  return [
    at(ms, orderFrom(`y${trades} ann buy yes 1 @ ${price} in ${marketId}`)),
    at(ms, orderFrom(`n${trades} bob buy no 1 @ ${(1 - price).toFixed(2)} in ${marketId}`)),
  ];
};

/** The values of the last 24 whole hours, oldest first, from runs of equal ones. */
const runs = (...parts: readonly (readonly [hours: number, value: number | null])[]) =>
  parts.flatMap(([hours, value]) => Array.from({ length: hours }, () => value));

describe('trends of markets', function () {
  this.timeout(60_000);
  let harness: ReadHarness;
  let nowMs = NOW;

  before(async () => {
    harness = await tradingHarness({ now: () => nowMs });
    await harness.submit(
      listed(hoursAgo(30), 'old'),
      listed(hoursAgo(30), 'quiet'),
      listed(hoursAgo(30), 'settled'),
      ...traded(hoursAgo(29), 0.2, 'old'),
      ...traded(hoursAgo(26), 0.3, 'settled'),
      // Half an hour past the hour 24 hours ago is 24 hours ago now.
      ...traded(hoursAgo(24) + 30 * MINUTE_MS, 0.3, 'old'),
      ...traded(hoursAgo(24) + 31 * MINUTE_MS, 0.4, 'old'),
      listed(hoursAgo(20) - 1, 'paused'),
      ...traded(hoursAgo(15), 0.6, 'paused'),
      at(hoursAgo(14), { ...base(OPERATOR, 'pause'), type: 'PauseMarket', marketId: 'paused' }),
      // The last moment before a whole hour, and the hour itself.
      ...traded(hoursAgo(10) - 1, 0.5, 'old'),
      ...traded(hoursAgo(8), 0.7, 'old'),
      at(hoursAgo(5) + 1, {
        ...base(OPERATOR, 'resolve'),
        type: 'ResolveMarket',
        marketId: 'settled',
        outcome: 'yes',
        headline: null,
        source: null,
        citationUrl: null,
      }),
      at(hoursAgo(5) + 2, { ...base(SYSTEM, 'run'), type: 'ContinueRun', marketId: 'settled' }),
      listed(hoursAgo(3), 'young'),
      ...traded(hoursAgo(1) - MINUTE_MS, 0.8, 'young'),
      ...traded(HOUR + MINUTE_MS, 0.9, 'young'),
    );
    await harness.projected();
  });
  after(() => harness.close());

  const list = async (query: string) => {
    const { status, body, next } = await get(harness, 'ann', `/api/markets?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return { markets: body as readonly MarketBody[], next };
  };
  const trendOf = async (id: string, query = '') => {
    const { markets } = await list(`fields=trend&${query}`);
    const market = markets.find((one) => one.id === id);
    return { change: market?.change24h, spark: market?.spark };
  };

  it('have the probability at each of the last 24 whole hours, and the change in 24 h', async () => {
    expect(await trendOf('old')).to.deep.equal({ change: 0.4, spark: runs([13, 0.4], [3, 0.5], [8, 0.7]) });
  });

  it('are null before the listing, and change since the prior', async () => {
    const { change, spark } = await trendOf('young');
    // It was listed at a whole hour, and is there from the next one on.
    expect(spark).to.deep.equal(runs([21, null], [1, 0.5], [2, 0.8]));
    expect(change).to.equal(0.4);
  });

  it('stay where nothing trades: never traded, paused, settled', async () => {
    expect(await trendOf('quiet')).to.deep.equal({ change: 0, spark: runs([24, 0.5]) });
    expect(await trendOf('paused', 'status=pending')).to.deep.equal({
      change: 0.1,
      spark: runs([3, null], [6, 0.5], [15, 0.6]),
    });
    expect(await trendOf('settled', 'status=resolved')).to.deep.equal({
      change: 0.7,
      spark: runs([19, 0.3], [5, 1]),
    });
  });

  it('are the same in every order and on every page, and leave the plain list as it is', async () => {
    for (const sort of ['newest', 'closing', 'activity', 'movement']) {
      const whole = (await list(`fields=trend&sort=${sort}`)).markets;
      const plain = (await list(`sort=${sort}`)).markets;
      const trends = whole.map(({ change24h, spark }) => ({ change24h, spark }));
      expect(plain.map((market, index) => ({ ...market, ...trends[index] }))).to.deep.equal(whole);
      for (const market of plain) expect(market).not.to.have.any.keys('change24h', 'spark');
      const pages: MarketBody[] = [];
      let query: string | undefined = `fields=trend&sort=${sort}&limit=2`;
      while (query !== undefined) {
        const page: Awaited<ReturnType<typeof list>> = await list(query);
        pages.push(...page.markets);
        query = page.next?.split('?')[1];
      }
      expect(pages, sort).to.deep.equal(whole);
    }
  });

  it('move on with the hour, the minute and the trades', async () => {
    await trade(harness, ...traded(NOW + 29 * MINUTE_MS, 0.1, 'old'), ...traded(NOW + 31 * MINUTE_MS, 0.2, 'old'));
    expect(await trendOf('old')).to.deep.equal({ change: -0.1, spark: runs([13, 0.4], [3, 0.5], [8, 0.7]) });
    nowMs = NOW + 31 * MINUTE_MS;
    expect(await trendOf('old')).to.deep.equal({ change: -0.2, spark: runs([12, 0.4], [3, 0.5], [8, 0.7], [1, 0.1]) });
  });

  it('show a trade that arrives late in its hour', async () => {
    // The newest event is before the hour's end, so the hour may still change.
    nowMs = HOUR + 2 * HOUR_MS;
    expect((await trendOf('young')).spark?.slice(-2)).to.deep.equal([0.9, 0.9]);
    await trade(harness, ...traded(nowMs - 1, 0.3, 'young'));
    expect((await trendOf('young')).spark?.slice(-2)).to.deep.equal([0.9, 0.3]);
  });

  it('are refused where `fields` has another value', async () => {
    for (const query of ['fields=trends', 'fields=', 'fields=trend,trend']) {
      const { status, body } = await get(harness, 'ann', `/api/markets?${query}`);
      expect([status, body], query).to.deep.equal([
        400,
        { error: 'validation failure: fields: must be trend', code: 'validation_failed' },
      ]);
    }
  });
});
