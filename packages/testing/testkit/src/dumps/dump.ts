import type { State } from '@paper/exchange';
import { inOwnTerms } from '@paper/exchange/vocabulary';
import type { Outcome, Side } from '@paper/exchange/vocabulary';

type ValueOf<Collection> = Collection extends ReadonlyMap<unknown, infer Value> ? Value : never;
type Account = ValueOf<State['accounts']>;
type Market = ValueOf<State['markets']>;
type Order = ValueOf<State['orders']>;
type Level = ReturnType<Market['book']['yes']['levels']>[number];

/** A resting order. Its limit price is that of its own outcome. */
export type OrderDump = readonly [
  orderId: string,
  accountId: string,
  outcome: Outcome,
  side: Side,
  remaining: number,
  limitPriceUnits: number,
];

/** A price level in YES terms, with its orders first in, first out. */
export type LevelDump = readonly [priceUnits: number, orders: readonly OrderDump[]];

/**
 * A state as plain data, the same for every implementation of the rules. Ids are sorted by UTF-16 code unit, keys of
 * objects alphabetically. Ended markets stay, with an empty book and no positions.
 */
export type StateDump = ReturnType<typeof dump>;
export type AccountDump = StateDump['accounts'][number][1];
export type MarketDump = ReturnType<typeof marketDump>;
export type PositionDump = MarketDump['positions'][number][1];
export type ToolsDump = ReturnType<typeof toolsDump>;

/** Dumps the whole state: for audits and tests, not for the hot path. */
export function dump(state: State) {
  return {
    accounts: [...state.accounts.values()].sort(byId).map((account) => [account.id, accountDump(account)] as const),
    granted: state.grantedUnits,
    lastAt: state.lastAt,
    markets: [...state.markets.values()].sort(byId).map((market) => [market.id, marketDump(market)] as const),
    /** Sequences of the decisions whose Idempotency-Keys are remembered, oldest first. */
    remembered: Array.from(state.idempotency.oldestFirst(), ({ seq }) => seq) as readonly number[],
    rulesVersion: state.rulesVersion,
    /** The number of events so far. */
    seq: state.seq,
    tools: toolsDump(state),
  } as const;
}

/** The fields of an account that determine its money. `cash` includes `reserved`; both are in units. */
function accountDump(account: Account) {
  return {
    approved: account.approved,
    cash: account.cashUnits,
    closure: closureDump(account),
    openOrders: account.openOrders,
    primary: account.primary === null ? null : account.primary.id,
    renamed: account.renamed,
    reserved: account.reservedUnits,
    startingBalance: account.startingBalanceUnits,
  } as const;
}

function closureDump({ closure }: Account) {
  if (closure === null) return null;
  const { cancelledOrders, forgottenSeq, revokedKeys } = closure;
  return { cancelledOrders, isForgotten: forgottenSeq !== null, revokedKeys };
}

/** The part of a state that the order tools add. It contains only values that are set, sorted by id unless noted. */
function toolsDump(state: State) {
  return {
    /** The sequences of the events that ended orders whose clientOrderIds are still stored; oldest first. */
    endedClientOrderIds: Array.from(state.clientOrderIds.ended.oldestFirst(), ({ seq }) => seq) as readonly number[],
    /** The keys with a mandate or with spending. Each spending names its day. */
    keys: [...state.keys.values()]
      .filter((key) => key.revokedAt === null && (key.mandate !== null || key.spentUnits > 0))
      .sort(byId)
      .map(({ id, mandate, spentDay, spentUnits }) => [id, { mandate, spentDay, spentUnits }] as const),
    /** Resting orders, each with its total and the terms of its placement. */
    orders: [...state.orders.values()]
      .sort(byId)
      .map(({ acceptedSeq, given, id, quantity }) => [id, { acceptedSeq, ...given, quantity }] as const),
    switches: [...state.accounts.values()]
      .filter(({ cancelsAt }) => cancelsAt !== null)
      .sort(byId)
      .map(({ cancelsAt, id }) => [id, cancelsAt ?? 0] as const),
  } as const;
}

function marketDump(market: Market) {
  return {
    asks: market.book.no.levels().map((level) => levelDump(level, inOwnTerms('no', level.priceUnits))),
    bids: market.book.yes.levels().map((level) => levelDump(level, level.priceUnits)),
    /** The YES price of the last trade; null before the first trade. */
    lastTrade: market.lastTradeUnits,
    /** Complete pairs; 0 from MarketResolved or MarketVoided on, when $1 each has moved into the pool. */
    pairs: market.pairs,
    phase: market.phase,
    /** The units that the settlement pool still has to pay; 0 before and after the settlement. */
    pool: market.poolUnits,
    /** Sorted by account id; an account without shares is left out. Resting sell orders reserve shares. */
    positions: market.positions
      .filter((position) => position.yes > 0 || position.no > 0)
      .sort((a, b) => byId(a.account, b.account))
      .map((position) => [position.account.id, positionDump(position)] as const),
    /** The probability in half units; from MarketResolved or MarketVoided on, twice the payout of a YES share. */
    probabilityHalf: market.probabilityHalfUnits(),
    volume: market.volume,
  } as const;
}

function positionDump({ no, noCostUnits, noReserved, yes, yesCostUnits, yesReserved }: Market['positions'][number]) {
  return { no, noCost: noCostUnits, noReserved, yes, yesCost: yesCostUnits, yesReserved } as const;
}

function levelDump(level: Level, yesPriceUnits: number): LevelDump {
  const orders: OrderDump[] = [];
  for (let order: Order | null = level.head; order !== null; order = order.next) {
    orders.push([order.id, order.position.account.id, order.outcome, order.side, order.remaining, order.priceUnits]);
  }
  return [yesPriceUnits, orders];
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
