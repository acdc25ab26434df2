import type { CommandOf } from '@paper/exchange/commands';
import type { Mandate } from '@paper/exchange/vocabulary';
import type { Random } from './random.ts';
import type { KnownMarket, KnownOrder, WorkloadView } from './workload-view.ts';

const YEAR_MS = 366 * 86_400_000;
const NOTHING_CHANGED = { offTick: false, priceUnits: null, quantity: null } as const;

type Tools = Pick<CommandOf<'PlaceOrder'>, 'clientOrderId' | 'expiresAt' | 'postOnly'>;
type Change = Pick<CommandOf<'AmendOrder'>, 'offTick' | 'priceUnits' | 'quantity'>;
type Filters = Pick<CommandOf<'CancelOrders'>, 'marketId' | 'outcome' | 'side'>;

/** The order of this account with some of the order tools, mostly valid. */
export function withTools(
  random: Random,
  view: WorkloadView,
  order: CommandOf<'PlaceOrder'>,
  accountId: string,
): CommandOf<'PlaceOrder'> {
  const canRest = order.orderType === 'limit' && order.timeInForce === 'GTC';
  const tools: Tools = {
    clientOrderId: random.chance(0.25) ? clientOrderId(random, view, accountId) : null,
    expiresAt: random.chance(canRest ? 0.25 : 0.01) ? expiresAt(random, view, order.at) : null,
    postOnly: random.chance(canRest ? 0.2 : 0.01),
  };
  return { ...order, ...tools };
}

/** A new clientOrderId, or one that this account or another one used recently. */
function clientOrderId(random: Random, view: WorkloadView, accountId: string): string {
  const own = view.clientOrderIds.filter((known) => known.accountId === accountId);
  const former = random.chance(0.8) ? own : view.clientOrderIds;
  return former.length > 0 && random.chance(0.25) ? random.pick(former).clientOrderId : `order-${random.hex(4)}`;
}

/** A time soon, later, or at the time of another timer; seldom an invalid time. */
function expiresAt(random: Random, view: WorkloadView, at: number): number {
  const timers = view.timers();
  return random.weighted<() => number>([
    [20, () => at + random.int(1, 200)],
    // A time in whole seconds, so that several orders expire together.
    [45, () => Math.ceil((at + random.int(1, 60_000)) / 5_000) * 5_000],
    [10, () => (timers.length > 0 ? random.pick(timers) : at + 1_000)],
    [20, () => at + random.pick([3_600_000, 86_400_000, YEAR_MS])],
    [5, () => at + random.pick([0, -1, -60_000, YEAR_MS + 1, 0.5])],
  ])();
}

/** A change of a resting order's total, price or both; sometimes without effect, sometimes invalid. */
export function amendmentOf(random: Random, view: WorkloadView, order: KnownOrder): Change {
  const filled = order.quantity - order.remaining;
  const tick = view.market(order.marketId)?.tick ?? 1;
  const lower = (): number => filled + random.int(1, Math.max(1, order.remaining - 1));
  const higher = (): number => Math.min(500, order.quantity + random.int(1, 20));
  const moved = (): number => {
    const steps = tick === 1 ? random.pick([-300, -50, 50, 100, 300]) : tick * random.pick([-3, -1, 1, 2, 6, 20]);
    return Math.min(9_900, Math.max(100, order.priceUnits + steps));
  };
  const change = random.weighted<() => Partial<Change>>([
    [22, () => ({ quantity: lower() })],
    [6, () => ({ priceUnits: order.priceUnits, quantity: lower() })],
    [12, () => ({ quantity: higher() })],
    [30, () => ({ priceUnits: moved() })],
    [14, () => ({ priceUnits: moved(), quantity: random.chance(0.5) ? lower() : higher() })],
    [5, () => ({ priceUnits: order.priceUnits })],
    [3, () => ({ priceUnits: order.priceUnits, quantity: order.quantity })],
    [3, () => ({ quantity: filled })],
    [2, () => ({ offTick: true })],
    [1, () => ({ priceUnits: order.priceUnits + 1 })],
    [1, () => ({ quantity: random.pick([0, 501, 1.5, -1, Number.NaN]) })],
    [1, () => ({ priceUnits: random.pick([99, 9_901, 0.5, Number.NaN]) })],
    [1, () => ({})],
  ])();
  return { ...NOTHING_CHANGED, ...change };
}

/** The filters of a cancel of many orders. Mostly they exclude a part of the orders. */
export function cancelFilters(random: Random, markets: readonly KnownMarket[]): Filters {
  const marketId = markets.length > 0 ? random.pick(markets).id : 'no-such-market';
  return {
    marketId: random.chance(0.6) ? marketId : null,
    outcome: random.chance(0.5) ? random.pick(['yes', 'no']) : null,
    side: random.chance(0.5) ? random.pick(['buy', 'sell']) : null,
  };
}

/** The seconds of a dead-man switch; seldom an invalid number. */
export function switchSeconds(random: Random): number {
  return random.chance(0.9)
    ? random.pick([0, 5, 5, 7, 10, 30, 60, 300, 3_600])
    : random.pick([1, 4, 3_601, 5.5, -1, Number.NaN]);
}

/** The number of pairs to merge for an account that holds `pairs`; null for all. */
export function mergeQuantity(random: Random, pairs: number): number | null {
  return random.weighted<() => number | null>([
    [35, () => null],
    [45, () => random.int(1, Math.max(1, pairs))],
    [12, () => pairs + random.int(1, 3)],
    [8, () => random.pick([0, -1, 1.5, Number.NaN])],
  ])();
}

/** A mandate whose limits the orders of a workload reach, or null to remove a mandate; seldom an invalid mandate. */
export function mandateOf(random: Random, markets: readonly KnownMarket[]): Mandate | null {
  if (random.chance(0.25)) return null;
  const mandate: Mandate = {
    marketIds: random.chance(0.2) ? markets.filter(() => random.chance(0.7)).map(({ id }) => id) : null,
    maxOrderCostUnits: random.chance(0.35) ? random.pick([0, 10_000, 60_000, 250_000, 5_000_001]) : null,
    maxReservedUnits: random.chance(0.35) ? random.pick([0, 40_000, 150_000, 600_000]) : null,
    maxShares: random.chance(0.35) ? random.pick([0, 3, 12, 60, 400, 1_000_000_000]) : null,
    reduceOnly: random.chance(0.15) ? random.chance(0.5) : null,
    spendPerDayUnits: random.chance(0.35) ? random.pick([0, 90_000, 400_000, 1_500_000, 10_000_000_000_000]) : null,
  };
  return random.chance(0.05) ? spoiled(random, mandate) : mandate;
}

function spoiled(random: Random, mandate: Mandate): Mandate {
  const units = random.pick([-1, 0.5, 10_000_000_000_001, Number.NaN]);
  return random.pick<Mandate>([
    { ...mandate, maxOrderCostUnits: units },
    { ...mandate, maxReservedUnits: units },
    { ...mandate, spendPerDayUnits: units },
    { ...mandate, maxShares: random.pick([-1, 1.5, 1_000_000_001]) },
    { ...mandate, marketIds: Array.from({ length: 101 }, (_, index) => `market-${index}`) },
  ]);
}
