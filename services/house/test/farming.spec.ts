import { IS_LONG_RUN, longTest } from '@paper/testkit';
import { expect } from 'chai';
import type { Anchor } from '../src/anchors.ts';
import { LossBudgets } from '../src/budget.ts';
import { DayResults } from '../src/day-results.ts';
import { changes, edgeUnits, wantedQuotes } from '../src/quotes.ts';
import type { RestingQuote } from '../src/quotes.ts';
import { DEFAULT_HOUSE_SETTINGS as settings } from '../src/settings.ts';
import { sendOrders } from '../src/send-orders.ts';
import { nextTake } from '../src/take.ts';
import { worldClient } from './fake-service.ts';
import { World } from './world.ts';

/**
 * No adversary profits from the house at no risk. The bots' own decisions run against adversaries on the real exchange.
 * Every account is valued at the anchor, so one account's gain is another's loss.
 */

const MARKET = 'm';
const TURNS = IS_LONG_RUN ? 800 : 400;
const TURN_MS = 1500;
/** The seeds of runs, and the anchors that they begin at. */
const ANCHORS = (
  [
    [1, 5000],
    [2, 1200],
    [3, 9700],
  ] as const
).slice(0, IS_LONG_RUN ? 3 : 1);
const ADVERSARIES = ['eve', 'mallory'] as const;

type Adversary = (world: World, anchor: Anchor) => void;

const buy = (world: World, who: string, outcome: 'yes' | 'no', priceUnits: number, quantity: number) =>
  world.place(who, { marketId: MARKET, outcome, side: 'buy', priceUnits, quantity });
const sellAll = (world: World, who: string, yesPrice: number): void => {
  const { yes, no } = world.held(who, MARKET);
  const sell = (outcome: 'yes' | 'no', quantity: number, priceUnits: number) =>
    world.place(who, { marketId: MARKET, outcome, side: 'sell', priceUnits, quantity });
  if (yes > 0) sell('yes', Math.min(500, yes), yesPrice);
  if (no > 0) sell('no', Math.min(500, no), 10_000 - yesPrice);
};
const cancelAll = (world: World, who: string): void => {
  for (const { orderId } of world.resting(who)) world.cancel(who, orderId);
};

const STRATEGIES: Readonly<Record<string, Adversary>> = {
  'stale asks far away, for whoever buys at any price': (world) => {
    if (world.resting('eve').length < 20) {
      buy(world, 'eve', 'no', 100, 50);
      buy(world, 'eve', 'yes', 100, 50);
    }
  },
  'walking the price up through the quotes, then selling high': (world) => {
    const phase = world.random.int(0, 40);
    if (phase < 20) buy(world, 'eve', 'yes', Math.min(9900, 5000 + phase * 200), 100);
    else sellAll(world, 'eve', 100 * world.random.int(40, 90));
    if (phase === 40) cancelAll(world, 'eve');
  },
  'trading with himself at invented prices': (world, { anchorUnits }) => {
    const price = Math.min(9900, Math.max(100, anchorUnits + 100 * world.random.int(-30, 30)));
    buy(world, 'eve', 'yes', price, 30);
    buy(world, 'mallory', 'no', 10_000 - price, 30);
    if (world.random.chance(0.2)) {
      cancelAll(world, 'eve');
      cancelAll(world, 'mallory');
      sellAll(world, 'eve', price);
      sellAll(world, 'mallory', price);
    }
  },
  "lying inside the maker's quotes, for the taker": (world, { anchorUnits }) => {
    cancelAll(world, 'eve');
    buy(world, 'eve', 'yes', anchorUnits - 100, 20);
    buy(world, 'eve', 'no', 10_000 - anchorUnits - 100, 20);
  },
  'picking off quotes whenever inventory moved them, and back': (world, { anchorUnits }) => {
    buy(world, 'eve', 'no', 10_000 - anchorUnits + 100, 200);
    buy(world, 'mallory', 'yes', anchorUnits + 100, 200);
    cancelAll(world, 'eve');
    cancelAll(world, 'mallory');
    sellAll(world, 'eve', anchorUnits);
  },
  'anything at random': (world) => {
    const who = world.random.pick(ADVERSARIES);
    buy(world, who, world.random.pick(['yes', 'no'] as const), 100 * world.random.int(1, 99), world.random.int(1, 300));
    if (world.random.chance(0.2)) sellAll(world, who, 100 * world.random.int(1, 99));
    if (world.random.chance(0.3)) cancelAll(world, who);
  },
};

interface Outcome {
  /** The adversaries' gain at the last anchor, in units. */
  readonly gained: number;
  readonly makerGains: readonly number[];
  readonly worstInventory: number;
  readonly houseTrades: number;
}

interface Play {
  readonly adversary: Adversary;
  readonly seed: number;
  readonly hasTaker: boolean;
  readonly anchorUnits: number;
  /**
   * The fair value that a new signal cites before this turn; null for none. The adversary reads it before the bots do.
   */
  readonly signal?: (turn: number, world: World) => number | null;
  readonly turnMs?: number;
}

async function play({ adversary, seed, hasTaker, anchorUnits, signal, turnMs = TURN_MS }: Play): Promise<Outcome> {
  const world = new World(seed);
  world.list(MARKET, anchorUnits);
  for (const account of ['maker', 'taker', ...ADVERSARIES]) world.open(account);
  let anchor: Anchor = { marketId: MARKET, anchorUnits, tickUnits: 100 };
  const losses = new LossBudgets(settings.marketLossUnits, settings.houseLossUnits);
  const results = new DayResults(settings.marketDayLossUnits);
  const clients = { maker: worldClient(world, 'maker'), taker: worldClient(world, 'taker') };
  const seen = new Map<string, number>();
  const unit = (): number => world.random.next() / 2 ** 32;
  const worth = (account: string): number => {
    const { yes, no } = world.held(account, MARKET);
    return world.cashUnits(account) + yes * anchor.anchorUnits + no * (10_000 - anchor.anchorUnits);
  };
  const start = new Map(['maker', ...ADVERSARIES].map((account) => [account, worth(account)]));
  const makerGains: number[] = [];
  let [worstInventory, houseTrades] = [0, 0];

  for (let turn = 0; turn < TURNS; turn += 1) {
    world.nowMs += turnMs;
    for (const order of world.orders('maker')) {
      const more = order.filledQty - (seen.get(order.orderId) ?? 0);
      if (more > 0) losses.addGain(more * edgeUnits(order, anchor.anchorUnits), world.nowMs);
      seen.set(order.orderId, order.filledQty);
    }
    const standing: RestingQuote[] = world
      .resting('maker')
      .map((order) => ({ ...order, id: order.orderId, quantity: order.quantity - order.filledQty }));
    await results.read('maker', clients.maker, world.nowMs);
    const held = world.held('maker', MARKET);
    const change = changes(standing, wantedQuotes(anchor, held, results.lossLimits(anchor), settings));
    await sendOrders(clients.maker, [{ marketId: MARKET, open: standing.length, ...change }], () => undefined);

    const fair = signal?.(turn, world) ?? anchor.anchorUnits;
    adversary(world, { ...anchor, anchorUnits: fair });

    if (hasTaker) {
      await results.read('taker', clients.taker, world.nowMs);
      const left = { edgeUnits: losses.leftUnits(MARKET, world.nowMs), ...results.lossLimits(anchor) };
      const take = nextTake(anchor, world.held('taker', MARKET), left, settings, unit);
      const order = take && world.place('taker', { marketId: MARKET, ...take, orderType: 'market' });
      if (take !== null && order !== null && order.filledQty > 0) {
        houseTrades += 1;
        const edge = edgeUnits({ ...take, priceUnits: order.priceUnits }, anchor.anchorUnits);
        losses.addLoss(MARKET, -edge * order.filledQty, world.nowMs);
      }
    }
    anchor = { ...anchor, anchorUnits: fair };
    makerGains.push(worth('maker') - (start.get('maker') ?? NaN));
    const { yes, no } = world.held('maker', MARKET);
    worstInventory = Math.max(worstInventory, Math.abs(yes - no));
  }
  const gained = ADVERSARIES.reduce((sum, who) => sum + worth(who) - (start.get(who) ?? NaN), 0);
  return { gained, makerGains, worstInventory, houseTrades };
}

describe('no strategy profits from the house without risk', function () {
  this.timeout(30_000);
  const hours = (TURNS * TURN_MS) / 3_600_000;
  const bound = settings.houseLossUnits * (1 + hours);

  for (const [name, adversary] of Object.entries(STRATEGIES)) {
    it(name, async () => {
      for (const [seed, anchorUnits] of ANCHORS) {
        const alone = await play({ adversary, seed, hasTaker: false, anchorUnits });
        expect(alone.gained, 'against the maker alone').to.be.at.most(0);
        for (const [turn, gain] of alone.makerGains.entries()) {
          expect(gain, `the maker's worth after turn ${turn}`).to.be.at.least(alone.makerGains[turn - 1] ?? 0);
        }
        const both = await play({ adversary, seed, hasTaker: true, anchorUnits });
        expect(both.gained, 'against both').to.be.at.most(bound);
        expect(Math.max(alone.worstInventory, both.worstInventory)).to.be.at.most(settings.maxInventory);
      }
    });
  }

  it('the trap for the taker does spring, so the bound is not empty', async () => {
    const adversary = STRATEGIES["lying inside the maker's quotes, for the taker"]!;
    const { gained } = await play({ adversary, seed: 1, hasTaker: true, anchorUnits: 5000 });
    expect(gained).to.be.greaterThan(settings.houseLossUnits / 2);
  });

  it('without other traders, the bots keep trading with each other', async () => {
    const { houseTrades, gained } = await play({
      adversary: () => undefined,
      seed: 4,
      hasTaker: true,
      anchorUnits: 5000,
    });
    expect(gained).to.equal(0);
    expect(houseTrades).to.be.greaterThan(100);
  });

  describe('a trader who reads every signal before the bots', () => {
    /** Takes every quote on the wrong side of the new fair value. */
    const readsFirst: Adversary = (world, { anchorUnits }) => {
      buy(world, 'eve', 'yes', Math.max(100, anchorUnits - 100), 500);
      buy(world, 'mallory', 'no', Math.max(100, 10_000 - anchorUnits - 100), 500);
      cancelAll(world, 'eve');
      cancelAll(world, 'mallory');
    };
    const signal: Play['signal'] = (turn, world) => (turn % 20 === 19 ? 100 * world.random.int(2, 98) : null);
    // One order that the taker sent just as the signal came, at the worst price.
    const slackUnits = settings.takeSize * 10_000;

    for (const seed of [1, 2, 3]) {
      it(`wins at most the budget of one market and day, in ${TURNS / 20} signals (seed ${seed})`, async function () {
        if (seed !== 1) longTest(this);
        const { gained } = await play({ adversary: readsFirst, seed, hasTaker: true, anchorUnits: 5000, signal });
        expect(gained).to.be.at.most(settings.marketDayLossUnits + slackUnits);
        expect(gained, 'so the bound is not empty').to.be.greaterThan(settings.marketDayLossUnits / 4);
      });
      it(`wins at most as many budgets as there are days, in ${TURNS} signals (seed ${seed})`, async function () {
        if (seed !== 1) longTest(this);
        const turnMs = 2 * 3_600_000;
        const days = Math.ceil((TURNS * turnMs) / (24 * 3_600_000)) + 1;
        const every: Play['signal'] = (_, world) => 100 * world.random.int(2, 98);
        const options = { adversary: readsFirst, seed, hasTaker: true, anchorUnits: 5000, signal: every, turnMs };
        const { gained } = await play(options);
        expect(gained).to.be.at.most(days * (settings.marketDayLossUnits + slackUnits));
      });
    }
  });
});
