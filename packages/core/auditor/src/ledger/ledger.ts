import type { Mandate, Outcome, Settings, Side } from '../events/judged-commands.ts';
import type { CancelReason, JudgedEvent, OrderAnnounced } from '../events/judged-events.ts';
import { DueQueue } from '../timers/due-queue.ts';
import { Violation } from './violation.ts';
import type { Rule } from './violation.ts';

type FixedFields = Pick<RestingOrder, 'accountId' | 'marketId' | 'outcome' | 'side'>;

/** A resting order: `bid` is its side of the YES book, `yesPrice` its price there. */
export interface RestingOrder {
  readonly orderId: string;
  readonly accountId: string;
  readonly marketId: string;
  readonly side: Side;
  readonly outcome: Outcome;
  readonly priceUnits: number;
  readonly bid: boolean;
  readonly yesPrice: number;
  readonly createdAt: number;
  /** The time from which the order neither fills nor rests; null: never. */
  readonly expiresAt: number | null;
  readonly postOnly: boolean;
  /** The total, with the filled shares. */
  quantity: number;
  remaining: number;
  /** The sum of own price × shares over the order's fills. */
  filledCost: number;
}

interface Holder {
  readonly accountId: string;
  /** The account's primary (its own id if it is one); null for a sub-account whose owner was withheld. */
  readonly owner: string | null;
  cash: number;
  reserved: number;
  readonly open: Set<RestingOrder>;
  /** Null while the dead-man switch is off, undefined if it was withheld. */
  cancelsAt: number | null | undefined;
  renamedAt: number | null;
  /** True if the account plays a recorded market (a tape) in a backtest: then no limits of orders bind it. */
  readonly playsTape: boolean;
  closed: boolean;
}

/** A key that has a mandate, or has bought. */
export interface KeyLimits {
  /** The mandate; null without one, undefined if it was withheld. */
  mandate: Mandate | null | undefined;
  /** The day of `spentUnits`, in days since 1970 (UTC). */
  day: number;
  /** The cost and the reserves of the key's buys on that day. */
  spentUnits: number;
}

interface Holding {
  readonly accountId: string;
  readonly shares: Record<Outcome, number>;
  readonly cost: Record<Outcome, number>;
  readonly reserved: Record<Outcome, number>;
}

/** A market with its book and holdings. Prices are in units, times in ms since 1970. */
export interface BookMarket {
  readonly marketId: string;
  readonly tick: number;
  phase: 'scheduled' | 'active' | 'paused' | 'closed' | 'settling' | 'settled';
  closesAt: number;
  /** True if orders end at `closesAt`: it was ahead at the listing, was changed, or the market was listed closed. */
  hasClosingTime: boolean;
  /** True if the clock closes the market at closesAt, which was in the future when it was last set. */
  closesByClock: boolean;
  pairs: number;
  readonly shares: Record<Outcome, number>;
  pool: number;
  poolAtStart: number;
  /** The payout of one YES share; null before the market ends. */
  yesPays: number | null;
  cancelledInRun: number;
  readonly settledHolders: Set<string>;
  readonly holdings: Map<string, Holding>;
  readonly bids: RestingOrder[];
  readonly asks: RestingOrder[];
}

/** An order as it arrives: placed, or replaced with other terms. */
export interface Arrival {
  readonly announced: OrderAnnounced;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** The sum of own price × shares over the fills before the decision. */
  readonly filledCost: number;
  readonly notionalUnits: number | null;
  readonly orderType: 'limit' | 'market';
  readonly postOnly: boolean;
  readonly shares: number;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
}

/** The order whose decision is being read, with the effects of its events so far. */
export interface Incoming extends Arrival {
  readonly yesLimit: number;
  readonly bid: boolean;
  readonly before: LimitedFigures | null;
  filled: number;
  spent: number;
  rested: boolean;
  cancelled: { readonly quantity: number; readonly reason: CancelReason } | null;
}

/** What a mandate limits: the account's reserved cash, and its shares of an outcome plus those of its open buys. */
export interface LimitedFigures {
  readonly reserved: number;
  readonly shares: number;
}

/** Converts an outcome's price to YES terms, or back. */
export const toYes = (outcome: Outcome, priceUnits: number) => (outcome === 'yes' ? priceUnits : 10_000 - priceUnits);

/** Whether an order bids for YES: buying yes and selling no do. */
export const bidsYes = (side: Side, outcome: Outcome): boolean => (side === 'buy') === (outcome === 'yes');

/** The holdings by double entry. `recount` verifies the running sums `cash` and `locked` (money in pairs and pools). */
export class Ledger {
  readonly accounts = new Map<string, Holder>();
  readonly markets = new Map<string, BookMarket>();
  readonly orders = new Map<string, RestingOrder>();
  readonly keys = new Map<string, KeyLimits>();
  readonly expiries = new DueQueue<RestingOrder>((order) => this.orders.get(order.orderId) === order);
  readonly switches = new DueQueue<Holder>(({ cancelsAt }, at) => cancelsAt === at);
  readonly closings = new DueQueue<BookMarket>(
    ({ closesAt, closesByClock, phase }, at) => closesByClock && phase === 'active' && closesAt === at,
  );
  settings: Settings | null = null;
  rulesVersion = 1;
  incoming: Incoming | null = null;
  event: JudgedEvent | null = null;
  seq = 0;
  lastAt = 0;
  granted = 0;
  cash = 0;
  locked = 0;
  /** Orders that ended as self-trades without proof in the events. */
  unprovenSelfTrades = 0;

  account(id: string): Holder {
    const account = this.accounts.get(id);
    if (account === undefined) throw this.violation('an event names what exists', `no account ${id}`);
    return account;
  }

  /** Whether both accounts have the same primary; null if that is unknown, since owners were withheld. */
  areInOneFleet(one: string, other: string): boolean | null {
    if (one === other) return true;
    const [first, second] = [this.account(one).owner, this.account(other).owner];
    return first === null || second === null ? null : first === second;
  }

  market(id: string): BookMarket {
    const market = this.markets.get(id);
    if (market === undefined) throw this.violation('an event names what exists', `no market ${id}`);
    return market;
  }

  resting(orderId: string): RestingOrder {
    const order = this.orders.get(orderId);
    if (order === undefined) throw this.violation('an event names what exists', 'no such order rests');
    return order;
  }

  /** Throws a Violation unless the condition holds. A `detail` with figures is a function, called only then. */
  must(holds: boolean, rule: Rule, detail: string | (() => string)): void {
    if (!holds) throw this.violation(rule, typeof detail === 'string' ? detail : detail());
  }

  violation(rule: Rule, detail: string): Violation {
    return new Violation(rule, this.seq, this.event, detail);
  }

  checkOpen(accountId: string): void {
    this.must(!this.account(accountId).closed, 'a closed account does nothing', () => `${accountId} was closed`);
  }

  checkAccount(account: Holder): void {
    if (!(account.reserved >= 0)) {
      throw this.violation('reserves are what the book says', `${account.accountId}: ${account.reserved}`);
    }
    this.must(
      account.cash >= account.reserved,
      'nobody is below zero',
      () => `${account.accountId} has ${account.cash} of which ${account.reserved} are reserved`,
    );
  }

  checkHolding(accountId: string, market: BookMarket, outcome: Outcome): void {
    const holding = market.holdings.get(accountId);
    if (holding === undefined) return;
    const { shares, reserved, cost } = holding;
    this.must(
      shares[outcome] >= reserved[outcome] && reserved[outcome] >= 0 && cost[outcome] >= 0,
      'nobody is below zero',
      () => `${accountId} has ${shares[outcome]} ${outcome}, ${reserved[outcome]} reserved, at cost ${cost[outcome]}`,
    );
  }

  checkSpread(market: BookMarket): void {
    const bid = market.bids[0]?.yesPrice ?? -Infinity;
    const ask = market.asks[0]?.yesPrice ?? Infinity;
    this.must(bid < ask, 'best bid < best ask', () => `${market.marketId}: ${bid} bid, ${ask} asked`);
  }

  checkPairs(market: BookMarket): void {
    const { yes, no } = market.shares;
    const isPaired = yes === market.pairs && no === market.pairs;
    this.must(isPaired, 'yes = no = pairs', () => `${market.marketId}: ${yes} yes, ${no} no, ${market.pairs} pairs`);
  }
}

export function isOrderOf(event: FixedFields, order: FixedFields): boolean {
  return (
    event.accountId === order.accountId &&
    event.marketId === order.marketId &&
    event.outcome === order.outcome &&
    event.side === order.side
  );
}

/** Inserts an order behind all orders with an equal or better price (price-time priority). */
export function insertIntoBook(market: BookMarket, order: RestingOrder): void {
  const list = order.bid ? market.bids : market.asks;
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const { yesPrice } = list[middle] as RestingOrder;
    if (order.bid ? yesPrice >= order.yesPrice : yesPrice <= order.yesPrice) low = middle + 1;
    else high = middle;
  }
  list.splice(low, 0, order);
}

export function getOrOpenHolding(market: BookMarket, accountId: string): Holding {
  let holding = market.holdings.get(accountId);
  if (holding === undefined) {
    holding = { accountId, shares: { yes: 0, no: 0 }, cost: { yes: 0, no: 0 }, reserved: { yes: 0, no: 0 } };
    market.holdings.set(accountId, holding);
  }
  return holding;
}

export function removeIfEmpty(market: BookMarket, accountId: string): void {
  const holding = market.holdings.get(accountId);
  if (holding === undefined) return;
  if (holding.shares.yes === 0 && holding.cost.yes === 0 && holding.shares.no === 0 && holding.cost.no === 0) {
    market.holdings.delete(accountId);
  }
}

/** Reserves for this many shares of a resting order; a negative number releases. */
export function reserve(ledger: Ledger, order: RestingOrder, shares: number): void {
  if (order.side === 'buy') ledger.account(order.accountId).reserved += order.priceUnits * shares;
  else getOrOpenHolding(ledger.market(order.marketId), order.accountId).reserved[order.outcome] += shares;
}

export function removeFromBook(ledger: Ledger, market: BookMarket, order: RestingOrder): void {
  const list = order.bid ? market.bids : market.asks;
  list.splice(list.indexOf(order), 1);
  ledger.orders.delete(order.orderId);
  ledger.account(order.accountId).open.delete(order);
}

interface Level {
  readonly side: 'bid' | 'ask';
  readonly priceUnits: number;
  readonly quantity: number;
  readonly orders: number;
}

/** One side of a book by price, best first. */
export function levelsOf(market: BookMarket, side: 'bid' | 'ask'): Level[] {
  const levels = new Map<number, Level>();
  for (const { remaining, yesPrice: priceUnits } of side === 'bid' ? market.bids : market.asks) {
    const { quantity, orders } = levels.get(priceUnits) ?? { quantity: 0, orders: 0 };
    levels.set(priceUnits, { side, priceUnits, quantity: quantity + remaining, orders: orders + 1 });
  }
  return [...levels.values()];
}
