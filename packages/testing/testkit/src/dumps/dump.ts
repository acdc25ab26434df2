import type { State } from '@paper/exchange';
import { inOwnTerms } from '@paper/exchange/vocabulary';
import type { Outcome, Phase, Side } from '@paper/exchange/vocabulary';

type ValueOf<Collection> = Collection extends ReadonlyMap<unknown, infer Value> ? Value : never;
type Account = ValueOf<State['accounts']>;
type Key = ValueOf<State['keys']>;
type Market = ValueOf<State['markets']>;
type Order = ValueOf<State['orders']>;
type Level = ReturnType<Market['book']['yes']['levels']>[number];

/** The fields of an account that determine its money. `cash` includes `reserved`; both are in units. */
export interface AccountDump {
  readonly approved: boolean;
  readonly cash: number;
  readonly closure: ReturnType<typeof closureDump>;
  readonly openOrders: number;
  readonly primary: string | null;
  readonly renamed: Account['renamed'];
  readonly reserved: number;
  readonly startingBalance: number;
}

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

/** An account's position in a market. The reserved shares are those of its resting sell orders. */
export interface PositionDump {
  readonly no: number;
  readonly noCost: number;
  readonly noReserved: number;
  readonly yes: number;
  readonly yesCost: number;
  readonly yesReserved: number;
}

export interface MarketDump {
  readonly asks: readonly LevelDump[];
  readonly bids: readonly LevelDump[];
  /** The YES price of the last trade; null before the first trade. */
  readonly lastTrade: number | null;
  /** Complete pairs; 0 from MarketResolved or MarketVoided on, when $1 each has moved into the pool. */
  readonly pairs: number;
  readonly phase: Phase;
  /** The units that the settlement pool still has to pay; 0 before and after the settlement. */
  readonly pool: number;
  /** Sorted by account id; an account without shares is left out. */
  readonly positions: readonly (readonly [accountId: string, position: PositionDump])[];
  /** In half units; from MarketResolved or MarketVoided on, twice the payout of a YES share. */
  readonly probabilityHalf: number;
  readonly volume: number;
}

/** The part of a state that the order tools add. It contains only values that are set, sorted by id unless noted. */
export interface ToolsDump {
  /** The sequences of the events that ended orders whose clientOrderIds are still stored; oldest first. */
  readonly endedClientOrderIds: readonly number[];
  /** The keys with a mandate or with spending. Each spending names its day. */
  readonly keys: readonly (readonly [keyId: string, key: Pick<Key, 'mandate' | 'spentDay' | 'spentUnits'>])[];
  /** Resting orders, each with its total and the terms of its placement. */
  readonly orders: readonly (readonly [
    orderId: string,
    order: Pick<Order, 'acceptedSeq' | 'quantity'> & Order['given'],
  ])[];
  readonly switches: readonly (readonly [accountId: string, cancelsAt: number])[];
}

/**
 * A state as plain data, the same for every implementation of the rules. Ids are sorted by UTF-16 code unit, keys of
 * objects alphabetically. Ended markets stay, with an empty book and no positions.
 */
export interface StateDump {
  readonly accounts: readonly (readonly [accountId: string, account: AccountDump])[];
  readonly granted: number;
  readonly lastAt: number;
  readonly markets: readonly (readonly [marketId: string, market: MarketDump])[];
  /** Sequences of the decisions whose Idempotency-Keys are remembered, oldest first. */
  readonly remembered: readonly number[];
  readonly rulesVersion: number;
  readonly tools: ToolsDump;
  /** The number of events so far. */
  readonly seq: number;
}

/** Dumps the whole state: for audits and tests, not for the hot path. */
export function dump(state: State): StateDump {
  return {
    accounts: [...state.accounts.values()].sort(byId).map((account) => [
      account.id,
      {
        approved: account.approved,
        cash: account.cashUnits,
        closure: closureDump(account),
        openOrders: account.openOrders,
        primary: account.primary === null ? null : account.primary.id,
        renamed: account.renamed,
        reserved: account.reservedUnits,
        startingBalance: account.startingBalanceUnits,
      },
    ]),
    granted: state.grantedUnits,
    lastAt: state.lastAt,
    markets: [...state.markets.values()].sort(byId).map((market) => [market.id, marketDump(market)]),
    remembered: Array.from(state.idempotency.oldestFirst(), ({ seq }) => seq),
    rulesVersion: state.rulesVersion,
    seq: state.seq,
    tools: toolsDump(state),
  };
}

function closureDump({ closure }: Account) {
  if (closure === null) return null;
  const { cancelledOrders, forgottenSeq, revokedKeys } = closure;
  return { cancelledOrders, isForgotten: forgottenSeq !== null, revokedKeys };
}

function toolsDump(state: State): ToolsDump {
  return {
    endedClientOrderIds: Array.from(state.clientOrderIds.ended.oldestFirst(), ({ seq }) => seq),
    keys: [...state.keys.values()]
      .filter((key) => key.revokedAt === null && (key.mandate !== null || key.spentUnits > 0))
      .sort(byId)
      .map(({ id, mandate, spentDay, spentUnits }) => [id, { mandate, spentDay, spentUnits }]),
    orders: [...state.orders.values()]
      .sort(byId)
      .map(({ acceptedSeq, given, id, quantity }) => [id, { acceptedSeq, ...given, quantity }]),
    switches: [...state.accounts.values()]
      .filter(({ cancelsAt }) => cancelsAt !== null)
      .sort(byId)
      .map(({ cancelsAt, id }) => [id, cancelsAt ?? 0]),
  };
}

function marketDump(market: Market): MarketDump {
  return {
    asks: market.book.no.levels().map((level) => levelDump(level, inOwnTerms('no', level.priceUnits))),
    bids: market.book.yes.levels().map((level) => levelDump(level, level.priceUnits)),
    lastTrade: market.lastTradeUnits,
    pairs: market.pairs,
    phase: market.phase,
    pool: market.poolUnits,
    positions: market.positions
      .filter((position) => position.yes > 0 || position.no > 0)
      .sort((a, b) => byId(a.account, b.account))
      .map((position) => [
        position.account.id,
        {
          no: position.no,
          noCost: position.noCostUnits,
          noReserved: position.noReserved,
          yes: position.yes,
          yesCost: position.yesCostUnits,
          yesReserved: position.yesReserved,
        },
      ]),
    probabilityHalf: market.probabilityHalfUnits(),
    volume: market.volume,
  };
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
