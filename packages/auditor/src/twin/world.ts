import type { JudgedCommand, Outcome, Permission, Settings, Side } from '../judged-commands.ts';

/**
 * The naive exchange's memory: plain arrays, searched by plain loops, and nothing stored that can be counted. Reserves,
 * open orders, best prices and pairs are added up anew each time they are asked for; the book is sorted each time.
 */
export interface World {
  settings: Settings;
  epoch: number;
  seq: number;
  lastAt: number;
  readonly accounts: Account[];
  readonly keys: Key[];
  readonly markets: Market[];
  /** Resting orders, in the order in which they were accepted. */
  orders: Order[];
  /** In the order of each account's first order in the market. */
  positions: Position[];
  readonly signals: { readonly source: string; readonly externalId: string }[];
  remembered: Remembered[];
  /** The command being decided, and its events so far. */
  command: JudgedCommand | null;
  told: TwinEvent[];
}

/** An event as the twin tells it: the same fields and values as the exchange's. */
export type TwinEvent = Readonly<Record<string, unknown>> & { readonly type: string; readonly at: number };

export interface Account {
  readonly id: string;
  readonly primary: string | null;
  readonly startingBalance: number;
  cash: number;
  approved: boolean;
}

export interface Key {
  readonly keyId: string;
  readonly accountId: string;
  readonly permissions: readonly Permission[];
  live: boolean;
}

export interface Market {
  readonly id: string;
  readonly bodyHash: string;
  readonly tick: number;
  readonly prior: number;
  amendable: Amendable;
  phase: 'scheduled' | 'active' | 'paused' | 'closed' | 'settling' | 'resolved' | 'void';
  /** Whether the clock is to close it at its closesAt. */
  clockSet: boolean;
  lastTrade: number | null;
  volume: number;
  /** The end of a market: how, what a YES share pays, and what happened since. */
  ending: { readonly kind: 'resolve' | 'void'; readonly yesPays: number } | null;
  /** Whether a close has begun since the market was last active. */
  closing: boolean;
  pool: number;
  cancelled: number;
  settledAccounts: string[];
  paid: number;
}

export interface Amendable {
  readonly citationUrl: string | null;
  readonly closesAt: number;
  readonly companyImpact: number;
  readonly description: string | null;
  readonly drivers: readonly string[];
  readonly title: string;
}

export interface Order {
  readonly orderId: string;
  readonly marketId: string;
  readonly accountId: string;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly price: number;
  remaining: number;
}

export interface Position {
  readonly marketId: string;
  readonly accountId: string;
  readonly shares: Record<Outcome, number>;
  readonly cost: Record<Outcome, number>;
}

export interface Remembered {
  readonly by: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly at: number;
  readonly seq: number;
}

/** What the twin makes of a command, in the words of the exchange's decisions. */
export type Verdict =
  | { readonly kind: 'accepted'; readonly events: readonly TwinEvent[] }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'unknown_order' }
  | { readonly kind: 'replayed'; readonly seq: number }
  | { readonly kind: 'rejected'; readonly code: string };

export const refuse = (code: string): Verdict => ({ kind: 'rejected', code });
export const UNCHANGED: Verdict = { kind: 'unchanged' };

/** What a share of the other outcome is worth when one of this is worth `price`; the same sum both ways. */
export const yesPrice = (outcome: Outcome, price: number): number => (outcome === 'yes' ? price : 10_000 - price);

export const isBid = (order: { readonly side: Side; readonly outcome: Outcome }): boolean =>
  (order.side === 'buy' && order.outcome === 'yes') || (order.side === 'sell' && order.outcome === 'no');

export const findAccount = (world: World, id: string): Account | undefined =>
  world.accounts.find((account) => account.id === id);

export const findMarket = (world: World, id: string): Market | undefined =>
  world.markets.find((market) => market.id === id);

/** The account that answers for this one: its primary, or itself. */
export function ownerOf(world: World, accountId: string): string {
  return findAccount(world, accountId)?.primary ?? accountId;
}

/** One side of a market's book, best price first, then first come first. */
export function bookSide(world: World, marketId: string, bids: boolean): Order[] {
  const side = world.orders.filter((order) => order.marketId === marketId && isBid(order) === bids);
  // Array.sort is stable, so equal prices stay in the order of acceptance.
  return side.sort((a, b) => {
    const difference = yesPrice(a.outcome, a.price) - yesPrice(b.outcome, b.price);
    return bids ? -difference : difference;
  });
}

/** Best price of one side in YES terms, null when it is empty. */
export function best(world: World, marketId: string, bids: boolean): number | null {
  const [first] = bookSide(world, marketId, bids);
  return first === undefined ? null : yesPrice(first.outcome, first.price);
}

/** Money that an account's resting buys promise. */
export function reservedCash(world: World, accountId: string): number {
  let units = 0;
  for (const order of world.orders) {
    if (order.accountId === accountId && order.side === 'buy') units += order.price * order.remaining;
  }
  return units;
}

/** Shares that an account's resting sells promise. */
export function reservedShares(world: World, marketId: string, accountId: string, outcome: Outcome): number {
  let shares = 0;
  for (const order of world.orders) {
    const same = order.accountId === accountId && order.marketId === marketId && order.outcome === outcome;
    if (same && order.side === 'sell') shares += order.remaining;
  }
  return shares;
}

/** An account's position in a market; made when there is none. */
export function positionOf(world: World, marketId: string, accountId: string): Position {
  const known = world.positions.find((at) => at.marketId === marketId && at.accountId === accountId);
  if (known !== undefined) return known;
  const made: Position = { marketId, accountId, shares: { yes: 0, no: 0 }, cost: { yes: 0, no: 0 } };
  world.positions.push(made);
  return made;
}

/** Complete pairs of a market: every YES share has its NO share. */
export function pairsOf(world: World, market: Market): number {
  if (market.ending !== null) return 0;
  return world.positions.reduce((sum, at) => sum + (at.marketId === market.id ? at.shares.yes : 0), 0);
}

/** Probability in half units: what it pays, else the middle of a spread of at most $0.10, else last trade, else prior. */
export function probabilityHalf(world: World, market: Market): number {
  if (market.ending !== null) return 2 * market.ending.yesPays;
  const bid = best(world, market.id, true);
  const ask = best(world, market.id, false);
  if (bid !== null && ask !== null && ask - bid <= 1_000) return bid + ask;
  return 2 * (market.lastTrade ?? market.prior);
}

/**
 * Tells an event of the command being decided: numbers it, moves the clock, remembers the command's Idempotency-Key
 * with the first, and forgets what is too old or too many. Its keys go out in alphabetical order, as stored.
 */
export function tell(world: World, type: string, fields: Readonly<Record<string, unknown>>): void {
  const command = world.command;
  if (command === null) throw new Error('an event needs a command');
  const at = Math.max(command.at, world.lastAt);
  const all: Record<string, unknown> = { ...fields, type, at };
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(all).sort()) sorted[key] = all[key];
  world.told.push(sorted as TwinEvent);
  world.seq += 1;
  world.lastAt = at;
  if (world.told.length === 1 && command.idempotency !== null) {
    const { key, fingerprint } = command.idempotency;
    world.remembered.push({ by: scopeOf(command), key, fingerprint, at, seq: world.seq });
  }
  const { idempotencyWindowMs, idempotencyEntries } = world.settings;
  world.remembered = world.remembered
    .filter((entry) => entry.at >= at - idempotencyWindowMs)
    .slice(-idempotencyEntries);
}

/** An Idempotency-Key counts within one account, or one operator. */
export function scopeOf(command: JudgedCommand): string {
  const { by } = command;
  return by.kind === 'key' ? `account ${by.accountId}` : by.kind === 'operator' ? `operator ${by.name}` : 'system';
}
