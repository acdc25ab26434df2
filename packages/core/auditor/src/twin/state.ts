import type {
  JudgedCommand,
  Listing,
  Mandate,
  Outcome,
  Permission,
  Settings,
  Side,
} from '../events/judged-commands.ts';
import type { DueQueue } from '../timers/due-queue.ts';
import { forgetTooMany, forgetTooOld, remember, scopedName } from './memory.ts';
import type { Fleet, Memory } from './memory.ts';

/**
 * The twin's state. Sums (reserves, open orders, pairs) are not stored, but made each time. Audits decide millions of
 * commands on it, so nothing here searches all accounts or orders.
 */
export interface TwinState {
  settings: Settings;
  epoch: number;
  rulesVersion: number;
  seq: number;
  lastAt: number;
  readonly accounts: Map<string, Account>;
  granted: bigint;
  readonly keys: Map<string, Key>;
  readonly markets: Map<string, Market>;
  readonly orders: Map<string, Order>;
  /** The recorded signals: source and external id of each, as one text. */
  readonly signals: Set<string>;
  readonly memory: Memory;
  /** The clientOrderIds of orders that have ended, with the same bounds as the memory of Idempotency-Keys. */
  readonly endedIds: Memory;
  readonly expiries: DueQueue<Order>;
  readonly switches: DueQueue<Account>;
  readonly closings: DueQueue<Market>;
  command: JudgedCommand | null;
  emitted: TwinEvent[];
}

/** An event as the twin emits it: the same fields and values as the exchange's. */
export type TwinEvent = Readonly<Record<string, unknown>> & { readonly type: string; readonly at: number };

export interface Account {
  readonly id: string;
  readonly number: number;
  readonly primary: string | null;
  /** True if the account plays a recorded market (a tape) in a backtest: then no limits of orders bind it. */
  readonly playsTape: boolean;
  readonly startingBalance: number;
  cash: number;
  approved: boolean;
  readonly keys: Key[];
  readonly subAccounts: Account[];
  readonly orders: Set<Order>;
  cancelsAt: number | null;
  renamed: { readonly at: number; readonly nameDigest: string } | null;
  /** The progress of closing, for an account that was closed by itself. */
  closed: Closed | null;
}

export interface Closed {
  revokedKeys: number;
  cancelledOrders: number;
  isForgotten: boolean;
}

export interface Key {
  readonly keyId: string;
  readonly accountId: string;
  readonly permissions: readonly Permission[];
  live: boolean;
  revokedAt: number | null;
  mandate: Mandate | null;
  /** The day of `spentUnits`, in days since 1970 (UTC). */
  spentDay: number;
  /** The cost and the reserves of the key's buys on that day. */
  spentUnits: number;
}

export interface Market {
  readonly id: string;
  readonly bodyHash: string;
  readonly tick: number;
  readonly prior: number;
  amendable: Amendable;
  phase: 'scheduled' | 'active' | 'paused' | 'closed' | 'settling' | 'resolved' | 'void';
  clockSet: boolean;
  /** True if orders end at `closesAt`: it was ahead at the listing, was changed, or the market was listed closed. */
  ordersEnd: boolean;
  lastTrade: number | null;
  volume: number;
  ending: { readonly kind: 'resolve' | 'void'; readonly yesPays: number } | null;
  /** Whether a close has begun since the market was last active. */
  closing: boolean;
  pool: number;
  cancelled: number;
  readonly settledAccounts: Set<string>;
  paid: number;
  /** Both sides of the book: best price first, then oldest first. */
  readonly bids: Order[];
  readonly asks: Order[];
  /** Positions by account, in the order of each account's first order in the market. */
  readonly positions: Map<string, Position>;
}

type Amendable = Pick<Listing, 'citationUrl' | 'closesAt' | 'companyImpact' | 'description' | 'drivers' | 'title'>;

export interface Order {
  readonly orderId: string;
  readonly marketId: string;
  readonly accountId: string;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly price: number;
  /** The total, with the filled shares. */
  quantity: number;
  remaining: number;
  filledCost: number;
  /** The sequence of the order's OrderPlaced, even after it was replaced. */
  readonly acceptedSeq: number;
  readonly createdAt: number;
  readonly clientOrderId: string | null;
  readonly expiresAt: number | null;
  readonly postOnly: boolean;
}

export interface Position {
  readonly accountId: string;
  readonly shares: Record<Outcome, number>;
  readonly cost: Record<Outcome, number>;
}

/** The twin's decision, in the terms of the exchange's decisions. */
export type Verdict =
  | { readonly kind: 'accepted'; readonly events: readonly TwinEvent[] }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'unknown_order' }
  | { readonly kind: 'unknown_key' }
  | { readonly kind: 'replayed'; readonly seq: number }
  | { readonly kind: 'rejected'; readonly code: string };

export const refuse = (code: string): Verdict => ({ kind: 'rejected', code });
export const UNCHANGED: Verdict = { kind: 'unchanged' };

/** The price of the other outcome when this one's is `price`. The formula is its own inverse. */
export const yesPrice = (outcome: Outcome, price: number): number => (outcome === 'yes' ? price : 10_000 - price);

export const isBid = (order: { readonly side: Side; readonly outcome: Outcome }): boolean =>
  (order.side === 'buy' && order.outcome === 'yes') || (order.side === 'sell' && order.outcome === 'no');

/** The account of an order or a position, which always exists. */
export function accountOf(state: TwinState, id: string): Account {
  const account = state.accounts.get(id);
  if (account === undefined) throw new Error(`no account ${id}`);
  return account;
}

export function marketOf(state: TwinState, id: string): Market {
  const market = state.markets.get(id);
  if (market === undefined) throw new Error(`no market ${id}`);
  return market;
}

export const ownerOf = (state: TwinState, accountId: string) => state.accounts.get(accountId)?.primary ?? accountId;

/** The closings that end an account: its own and its primary's. */
export function closuresOf(state: TwinState, accountId: string): readonly Closed[] {
  const ids = new Set([accountId, ownerOf(state, accountId)]);
  return [...ids].flatMap((id) => state.accounts.get(id)?.closed ?? []);
}

export const isClosed = (state: TwinState, accountId: string): boolean => closuresOf(state, accountId).length > 0;
export const bookSide = (market: Market, bids: boolean): Order[] => (bids ? market.bids : market.asks);

/** The best price in YES terms; null for an empty side. */
export function best(market: Market, bids: boolean): number | null {
  const [first] = bookSide(market, bids);
  return first === undefined ? null : yesPrice(first.outcome, first.price);
}

/** Puts an order behind all orders with an equal or better price. */
export function addOrder(state: TwinState, market: Market, account: Account, order: Order): void {
  const bids = isBid(order);
  const side = bookSide(market, bids);
  const own = yesPrice(order.outcome, order.price);
  // Searches from the end, since most orders do not become the best.
  let place = side.length;
  for (; place > 0; place -= 1) {
    const other = side[place - 1];
    if (other === undefined) break;
    const price = yesPrice(other.outcome, other.price);
    if (bids ? price >= own : price <= own) break;
  }
  side.splice(place, 0, order);
  account.orders.add(order);
  state.orders.set(order.orderId, order);
  if (order.expiresAt !== null) state.expiries.add(order.expiresAt, order.acceptedSeq, order);
}

/** Matching orders in the order of acceptance, at most this many. */
export function oldestOrders(account: Account, most: number, matches: (order: Order) => boolean): readonly Order[] {
  const matching = [...account.orders].filter(matches);
  // A replaced order is last in time priority, but keeps its time of acceptance.
  return matching.sort((a, b) => a.acceptedSeq - b.acceptedSeq).slice(0, most);
}

export function removeOrder(state: TwinState, order: Order): void {
  const side = bookSide(marketOf(state, order.marketId), isBid(order));
  side.splice(side.indexOf(order), 1);
  state.accounts.get(order.accountId)?.orders.delete(order);
  state.orders.delete(order.orderId);
}

export function reservedCash(account: Account): number {
  let units = 0;
  for (const order of account.orders) {
    if (order.side === 'buy') units += order.price * order.remaining;
  }
  return units;
}

export function reservedShares(account: Account, marketId: string, outcome: Outcome): number {
  let shares = 0;
  for (const order of account.orders) {
    if (order.marketId === marketId && order.outcome === outcome && order.side === 'sell') shares += order.remaining;
  }
  return shares;
}

export function getOrOpenPosition(market: Market, accountId: string): Position {
  const existing = market.positions.get(accountId);
  if (existing !== undefined) return existing;
  const made: Position = { accountId, shares: { yes: 0, no: 0 }, cost: { yes: 0, no: 0 } };
  market.positions.set(accountId, made);
  return made;
}

/** Removes shares and their part of the cost, rounded down. Returns that part. */
export function takeShares({ cost, shares }: Position, outcome: Outcome, quantity: number): number {
  const part = Number((BigInt(cost[outcome]) * BigInt(quantity)) / BigInt(shares[outcome]));
  shares[outcome] -= quantity;
  cost[outcome] -= part;
  return part;
}

/** The number of complete pairs: every YES share has its NO share. */
export function pairsOf(market: Market): number {
  if (market.ending !== null) return 0;
  let pairs = 0;
  for (const at of market.positions.values()) pairs += at.shares.yes;
  return pairs;
}

/** The probability in half units: the payout, else the middle of a spread of at most $0.10, else the last trade, else the prior. */
export function probabilityHalf(market: Market): number {
  if (market.ending !== null) return 2 * market.ending.yesPays;
  const bid = best(market, true);
  const ask = best(market, false);
  if (bid !== null && ask !== null && ask - bid <= 1_000) return bid + ask;
  return 2 * (market.lastTrade ?? market.prior);
}

export const DAY_MS = 86_400_000;

/** The time of the decision: the command's clock, but never before the last event. */
export function decidedAt({ command, lastAt }: TwinState): number {
  if (command === null) throw new Error('a decision needs a command');
  return Math.max(command.at, lastAt);
}

type Ended = Pick<Order, 'accountId' | 'clientOrderId'>;

/**
 * Emits an event of the command being decided. The first one stores the command's Idempotency-Key, the last one of an
 * order its clientOrderId; entries of both that are too old or too many are forgotten. Returns the command's verdict.
 * @param fields an object of this event alone: it becomes the event, without a copy
 */
export function emit(
  state: TwinState,
  type: string,
  fields: Record<string, unknown>,
  ended: readonly Ended[] = [],
): Verdict {
  const command = state.command;
  if (command === null) throw new Error('an event needs a command');
  const at = decidedAt(state);
  fields['at'] = at;
  fields['type'] = type;
  state.emitted.push(fields as TwinEvent);
  state.seq += 1;
  state.lastAt = at;
  const asked = rememberedKeyOf(command);
  if (state.emitted.length === 1 && asked !== null) {
    const { key, index = null, fingerprint } = asked;
    const name = scopedName(scopeOf(command), key);
    remember(state.memory, { name, index, fingerprint, at, seq: state.seq, fleet: fleetOf(state, command) });
  }
  for (const order of ended) rememberEnd(state, order);
  for (const memory of [state.memory, state.endedIds]) {
    forgetTooOld(memory, at - state.settings.idempotencyWindowMs);
    forgetTooMany(memory, state.settings.idempotencyEntries, state.rulesVersion);
  }
  return { kind: 'accepted', events: state.emitted };
}

function rememberEnd(state: TwinState, { accountId, clientOrderId }: Ended): void {
  if (clientOrderId === null) return;
  const name = scopedName(accountId, clientOrderId);
  const fleet = fleetOfAccount(state, accountId);
  remember(state.endedIds, { name, index: null, fingerprint: '', at: state.lastAt, seq: state.seq, fleet });
}

/** Commands that are carried out each time they are sent, even with the same Idempotency-Key. */
const NOT_REMEMBERED: ReadonlySet<JudgedCommand['type']> = new Set(['CancelOrders', 'SetDeadManSwitch', 'SetMandate']);

/** The Idempotency-Key of a command; null without one, or if its type never stores it. */
export const rememberedKeyOf = (command: JudgedCommand): JudgedCommand['idempotency'] =>
  NOT_REMEMBERED.has(command.type) ? null : command.idempotency;

/** The fleet (a primary with its sub-accounts, else the actor) to which a command's Idempotency-Key counts. */
function fleetOf(state: TwinState, command: JudgedCommand): Fleet {
  const { by } = command;
  return by.kind === 'key' ? fleetOfAccount(state, by.accountId) : { name: scopeOf(command), number: null };
}

function fleetOfAccount(state: TwinState, accountId: string): Fleet {
  const owner = state.accounts.get(ownerOf(state, accountId));
  return { name: owner?.id ?? accountId, number: owner?.number ?? null };
}

/** The scope of an Idempotency-Key: one account, or one operator. */
export function scopeOf(command: JudgedCommand): string {
  const { by } = command;
  return by.kind === 'key' ? `account ${by.accountId}` : by.kind === 'operator' ? `operator ${by.name}` : 'system';
}
