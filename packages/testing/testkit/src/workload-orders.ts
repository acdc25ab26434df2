import { PLAIN_ORDER } from '@paper/exchange/commands';
import { inOwnTerms } from '@paper/exchange/vocabulary';
import type { CommandBase, CommandOf } from '@paper/exchange/commands';
import type { Side, TimeInForce } from '@paper/exchange/vocabulary';
import type { Random } from './random.ts';
import type { KnownMarket, WorkloadView } from './workload-view.ts';

const clamp = (priceUnits: number): number => Math.min(9_900, Math.max(100, priceUnits));

/** A price in YES terms near the market's best price, or near its prior. */
function yesPrice(random: Random, view: WorkloadView, market: KnownMarket, bid: boolean): number {
  const { bid: bestBid, ask: bestAsk } = view.best(market.id);
  const step = market.tick === 1 ? random.pick([1, 7, 50, 50, 100]) : market.tick;
  const own = bid ? bestBid : bestAsk;
  const opposing = bid ? bestAsk : bestBid;
  const toward = bid ? 1 : -1;
  const price = random.weighted<() => number>([
    // Crosses the opposing best by 0 or a few steps.
    [34, () => (opposing ?? market.prior) + toward * step * random.int(0, 6)],
    // The price joins or improves the order's own side, or rests behind it.
    [52, () => (own ?? market.prior - toward * step * 3) + toward * step * random.int(-6, 2)],
    [10, () => market.prior - toward * step * random.int(0, 12)],
    [5, () => random.int(1, 99) * 100],
  ])();
  return clamp(Math.round(price / market.tick) * market.tick);
}

/** Draws a quantity: for a sale mostly at most the held shares, otherwise mostly a few shares and sometimes the limit. */
function chooseQuantity(random: Random, side: Side, held: number): number {
  if (side === 'sell' && held > 0 && random.chance(0.85)) {
    return Math.min(500, random.chance(0.4) ? held : random.int(1, held));
  }
  return random.weighted<() => number>([
    [82, () => random.int(1, 12)],
    [15, () => random.int(12, 120)],
    [3, () => 500],
  ])();
}

/** Spoils an order by an invalid value that the types allow: it must be refused with a code. */
function spoil(random: Random, order: CommandOf<'PlaceOrder'>): CommandOf<'PlaceOrder'> {
  const number = random.pick([0, -1, -100, 0.5, 99, 99_999_999_999, Number.NaN, Number.POSITIVE_INFINITY]);
  return random.pick<() => CommandOf<'PlaceOrder'>>([
    () => ({ ...order, quantity: random.pick([0, -1, 501, 1.5, Number.NaN]) }),
    () => ({ ...order, priceUnits: number }),
    () => ({ ...order, priceUnits: null }),
    () => ({ ...order, quantity: null }),
    () => ({ ...order, quantity: null, notionalUnits: null }),
    () => ({ ...order, notionalUnits: random.pick([9_999, 50_000_001, 0, -5, 10_000.5]) }),
    () => ({ ...order, maxPriceUnits: number }),
    () => ({ ...order, slippageUnits: random.pick([-1, 2_501, 0.5, Number.NaN]) }),
  ])();
}

/** Makes a plain order on this market, with a price near the market's best prices. */
export function makeOrder(
  random: Random,
  view: WorkloadView,
  base: CommandBase,
  market: KnownMarket,
  accountId: string,
): CommandOf<'PlaceOrder'> {
  const holds = {
    yes: view.held(market.id, accountId, 'yes'),
    no: view.held(market.id, accountId, 'no'),
  };
  const side: Side =
    (holds.yes > 0 || holds.no > 0) && random.chance(0.5) ? 'sell' : random.chance(0.03) ? 'sell' : 'buy';
  const outcome =
    side === 'sell' && random.chance(0.9)
      ? holds.yes >= holds.no
        ? 'yes'
        : 'no'
      : random.pick(['yes', 'no'] as const);
  const orderType = random.chance(0.78) ? 'limit' : 'market';
  const timeInForce = random.weighted<TimeInForce>([
    [76, 'GTC'],
    [12, 'IOC'],
    [12, 'FOK'],
  ]);
  const yes = yesPrice(random, view, market, (side === 'buy') === (outcome === 'yes'));
  const price = inOwnTerms(outcome, yes);
  const quantity = chooseQuantity(random, side, holds[outcome]);
  const notional = Math.min(50_000_000, Math.max(10_000, price * quantity + random.pick([0, 0, 0, 1, -1, 4_321])));
  const byNotional =
    side === 'buy'
      ? random.weighted([
          [65, 'quantity'],
          [20, 'notional'],
          [15, 'both'],
        ] as const)
      : 'quantity';
  const market_ = orderType === 'market';

  let priceUnits: number | null = !market_ || random.chance(0.25) ? price : null;
  // A price off the tick is refused. A price bound off the tick is rounded to the stricter tick.
  if (priceUnits !== null && market.tick > 1 && random.chance(0.04)) priceUnits = clamp(priceUnits + random.int(1, 9));
  const offTick = random.chance(0.01);
  const order: CommandOf<'PlaceOrder'> = {
    ...base,
    ...PLAIN_ORDER,
    accountId: null,
    type: 'PlaceOrder',
    marketId: market.id,
    maxPriceUnits: random.chance(market_ ? 0.3 : 0.05) ? clamp(price + random.int(-150, 150)) : null,
    notionalUnits: byNotional === 'quantity' ? (random.chance(0.02) ? notional : null) : notional,
    offTick,
    orderId: random.uuid(base.at),
    orderType,
    outcome,
    priceUnits: offTick ? null : priceUnits,
    quantity: byNotional === 'notional' ? null : quantity,
    side,
    slippageUnits: random.chance(market_ ? 0.3 : 0.05) ? random.pick([0, 1, 50, 99, 100, 350, 2_500]) : null,
    timeInForce,
  };
  return random.chance(0.03) ? spoil(random, order) : order;
}
