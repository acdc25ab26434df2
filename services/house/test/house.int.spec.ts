import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import type { RecentSignalBody } from '@paper/contracts/signals';
import { marketView } from '@paper/exchange';
import { createHouse } from '../src/index.ts';
import type { HouseMarket } from '../src/index.ts';
import { FakeService } from './fake-service.ts';
import { World } from './world.ts';

const MARKETS: readonly HouseMarket[] = [
  { id: 'apple', prior: 0.5 },
  { id: 'boeing', prior: 0.3 },
  { id: 'costco', prior: 0.98 },
];

describe("the house's bots against a service", function () {
  this.timeout(20_000);
  let world: World;
  let service: FakeService;
  let markets: readonly HouseMarket[];
  /** How far the bots' clock is ahead. */
  let laterMs: number;
  const houses: ReturnType<typeof createHouse>[] = [];
  const warnings: string[] = [];

  beforeEach(async () => {
    world = new World(7);
    for (const { id, prior } of MARKETS) world.list(id, prior * 10_000);
    world.open('maker');
    world.open('taker');
    service = new FakeService(world);
    await service.start();
    markets = MARKETS;
    laterMs = 0;
    warnings.length = 0;
  });
  afterEach(async () => {
    for (const house of houses.splice(0)) await house.stop();
    await service.stop();
  });

  const start = (settings = {}) => {
    const house = createHouse({
      baseUrl: service.baseUrl,
      makerKey: 'key-maker',
      takerKey: 'key-taker',
      markets: () => markets,
      logger: { info: () => undefined, warn: (_, text) => warnings.push(text) },
      settings: { makerIntervalMs: 1, takerIntervalMs: 5, refreshMs: 0, ...settings },
      random: () => world.random.next() / 2 ** 32,
      now: () => Date.now() + laterMs,
    });
    houses.push(house);
    house.start();
    return house;
  };
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await turn();
  };
  /**
   * Waits for two whole turns of the maker: the first that starts from now reads today's state, and its orders are sent
   * before the next ends.
   */
  const twoTurns = async (): Promise<void> => {
    const reads = (): number => service.seen.filter((name) => name === 'GET /api/orders').length;
    const before = reads();
    await until(() => reads() >= before + 3);
  };
  const quotes = (id: string): readonly [number | null, number | null] => {
    const view = marketView(world.state, id);
    return [view?.bestBidUnits ?? null, view?.bestAskUnits ?? null];
  };
  const fairValue = (marketId: string, fairProb: number): RecentSignalBody => ({
    id: 's1',
    source: 's',
    headline: 'h',
    citationUrl: 'https://example.org',
    publishedAt: '2026-11-21T00:00:00.000Z',
    marketProbBefore: 0.3,
    marketProbAfter: 0.3,
    fairProb,
    marketId,
    seq: 5,
  });
  const resting = (): string[] => world.resting('maker').map(({ orderId }) => orderId);
  const QUIET = { takerIntervalMs: 1e9 };

  it('quote every market around its prior, and trade', async () => {
    start();
    await until(() => MARKETS.every(({ id }) => (marketView(world.state, id)?.volume ?? 0) > 0));
    expect(warnings).to.deep.equal([]);
    for (const { id, prior } of MARKETS) {
      const [bid, ask] = quotes(id);
      expect(bid ?? 0).to.be.lessThan(prior * 10_000);
      expect(ask ?? 10_000).to.be.greaterThan(prior * 10_000);
    }
  });

  it('adopt what they left in the book', async () => {
    const first = start(QUIET);
    await until(() => resting().length === 6 + 6 + 3);
    await first.stop();
    const before = resting();
    start(QUIET);
    await twoTurns();
    expect(resting()).to.deep.equal(before);
  });

  it('requote what was filled', async () => {
    start(QUIET);
    await until(() => quotes('apple')[1] === 5200 && resting().length === 15);
    world.open('ann');
    world.place('ann', { marketId: 'apple', outcome: 'yes', side: 'buy', priceUnits: 5200, quantity: 12 });
    expect(quotes('apple')[1]).to.equal(5300);
    await until(() => quotes('apple')[1] === 5200);
    expect(world.held('maker', 'apple')).to.deep.equal({ yes: 0, no: 12 });
  });

  it('take nothing, and send a quote that would take again only after a minute', async () => {
    start(QUIET);
    await until(() => resting().length === 15);
    world.open('ann');
    // All of the best ask and 8 shares more, which stay in the book as a bid.
    world.place('ann', { marketId: 'apple', outcome: 'yes', side: 'buy', priceUnits: 5200, quantity: 20 });
    const refused = (): number =>
      world.orders('maker').filter(({ filledQty, outcome, priceUnits, status }) => {
        const isBest = outcome === 'no' && priceUnits === 4800;
        return isBest && status === 'cancelled' && filledQty === 0;
      }).length;
    await until(() => refused() === 1);
    await twoTurns();
    expect([refused(), quotes('apple')]).to.deep.equal([1, [5200, 5300]]);
    expect(world.held('maker', 'apple')).to.deep.equal({ yes: 0, no: 12 });
    laterMs += 60_000;
    await until(() => refused() === 2);
    await twoTurns();
    world.cancelMany('ann', null);
    laterMs += 60_000;
    await until(() => quotes('apple')[1] === 5200);
  });

  it('move what rests to a new fair value by amendments: no cancel, and no order but those', async () => {
    start(QUIET);
    await until(() => resting().length === 15);
    const before = resting().sort();
    service.seen.length = 0;
    service.signals = [fairValue('boeing', 0.32)];
    await until(() => quotes('boeing')[0] === 3000 && quotes('boeing')[1] === 3400);
    await twoTurns();
    expect(resting().sort()).to.deep.equal(before);
    const sent = service.seen.filter((name) => !name.startsWith('GET')).map((name) => name.split('/', 3).join('/'));
    expect(new Set(sent)).to.deep.equal(new Set(['PATCH /api/orders']));
  });

  it('go on where one of a batch is refused', async () => {
    world.pause('apple');
    service.extraMarkets = ['apple'];
    start(QUIET);
    await until(() => resting().length === 9);
    await twoTurns();
    expect(warnings).to.deep.equal([]);
  });

  it('follow the newest cited fair value, and nothing else', async () => {
    start(QUIET);
    await until(() => quotes('boeing')[0] === 2800);
    service.signals = [fairValue('boeing', 0.7)];
    await until(() => quotes('boeing')[0] === 6800 && quotes('boeing')[1] === 7200);
    await twoTurns();
    expect(world.resting('maker').filter(({ marketId }) => marketId === 'boeing')).to.have.length(6);
    expect(world.orders('maker').some(({ filledQty }) => filledQty > 0)).to.equal(false);
  });

  it('wait for Retry-After, and place no quote twice when answers are lost', async () => {
    let [count, batches] = [0, 0];
    service.fault = (name) => {
      count += 1;
      if (count % 7 === 0) return 'busy';
      if (name !== 'POST /api/orders/batch') return 'none';
      batches += 1;
      return batches === 1 ? 'lost' : 'none';
    };
    start(QUIET);
    await until(() => resting().length >= 15);
    service.fault = () => 'none';
    await until(() => warnings.length > 0);
    await twoTurns();
    expect(resting()).to.have.length(15);
  });

  it('leave a market that takes no orders, and go on with the others', async () => {
    start(QUIET);
    await until(() => resting().length === 15);
    world.pause('apple');
    service.seen.length = 0;
    await twoTurns();
    expect(service.seen.filter((name) => name.startsWith('POST'))).to.deep.equal([]);
    expect(warnings).to.deep.equal([]);
  });

  it('clear a market that is no longer theirs', async () => {
    start(QUIET);
    await until(() => resting().length === 15);
    markets = MARKETS.slice(1);
    await until(() => resting().length === 9);
    expect(quotes('apple')).to.deep.equal([null, null]);
  });

  it('survive a service that goes away and comes back', async () => {
    start(QUIET);
    await until(() => resting().length === 15);
    const { baseUrl } = service;
    let isAway = true;
    service.fault = () => (isAway ? 'lost' : 'none');
    await until(() => warnings.length > 0);
    isAway = false;
    await twoTurns();
    expect(service.baseUrl).to.equal(baseUrl);
    expect(resting()).to.have.length(15);
  });

  it('refuse settings under which a quote could lose', () => {
    expect(() => start({ maxSkewUnits: 200 })).to.throw('half spread');
    expect(() => start({ takeEdgeUnits: 300 })).to.throw('half spread');
    houses.length = 0;
  });
});
