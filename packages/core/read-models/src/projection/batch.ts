import type {
  CancelReason,
  FillKind,
  MarketAmended,
  MarketListed,
  OrderAmended,
  OrderReplaced,
  Outcome,
  SharesMerged,
  Side,
} from '@paper/exchange';
import { orderChangeRow } from '../models/orders/fold.ts';
import type { OrderRow } from '../models/orders/table.ts';
import { TABLES } from '../models/tables.ts';
import type { Writable } from '../engine/table.ts';
import type { ReadTables, TableName } from '../models/tables.ts';
import { DAY_MS, wholeMinute } from '../models/minute.ts';
import { CopyRows, RowColumns } from '@paper/pg-bulk';
import { movedPosition } from './holdings.ts';
import type { Holdings, PositionSums } from './holdings.ts';
import type { MarketFold } from './market-fold.ts';

export type SignalRow = Writable<ReadTables['signals']>;

/** Totals of all markets until now. */
export type Totals = Omit<ReadTables['minutes'], 'minute_ms'>;

/** A batch's changes to an order placed before it: amounts are added, other fields replaced. */
export type OrderChange = Pick<OrderRow, 'id' | 'filled' | 'filled_cost_units' | 'status' | 'reason' | 'ended_seq'>;

/** The limit and the total of an order that was placed before the batch, as the batch leaves them. */
export interface OrderTermsChange {
  readonly id: string;
  readonly price_units: number;
  readonly quantity: number;
}

/** What the batch adds to a key's spending on the last day on which it spends. */
export interface SpendingChange {
  readonly id: string;
  spent_day: number;
  spent_units: number;
}

/** A batch's changes to an account: amounts are added; the minute is that of its last fill in the batch. */
export interface AccountChange extends Writable<
  Pick<ReadTables['accounts'], 'id' | 'cash_units' | 'trades' | 'volume_units' | 'last_fill_minute_ms'>
> {
  /** The account's cash before the batch; 0 where it is not known. */
  readonly cash_before_units: number;
}

export interface PositionChange extends Writable<ReadTables['positions']> {
  /** The position before the batch; null for none, and where that is not known. */
  readonly before: PositionSums | null;
}

/** A batch's changes to a market. */
export interface MarketChange {
  readonly market: MarketFold;
  /** The minute of the market's last event in the batch, whose row is not made yet; null for none. */
  minuteMs: number | null;
  /** The changes of positions, by account. */
  readonly positions: Map<string, PositionChange>;
}

/** The fields of a fill that belong to one of its two orders. */
export interface FillSide {
  readonly role: 'maker' | 'taker';
  readonly accountId: string;
  readonly orderId: string;
  readonly side: Side;
  readonly outcome: Outcome;
  /** A buyer's payment; for a seller, the cost that left the position. */
  readonly costUnits: number;
  readonly remaining: number;
}

/** Fields that both sides of a fill share. */
export interface FillFacts {
  readonly seq: number;
  readonly id: string;
  readonly yesPriceUnits: number;
  readonly quantity: number;
  readonly kind: FillKind;
  /** The market's probability, just before and just after the event. */
  readonly beforeHalfUnits: number;
  readonly afterHalfUnits: number;
  readonly at: number;
}

/** Rows that no later event of the batch changes: they can be written before it ends. */
export class AddedRows {
  readonly accounts: ReadTables['accounts'][] = [];
  /** Ended orders, also those placed by this batch. */
  readonly endedOrders = new CopyRows<ReadTables['orders']>(TABLES.orders.columns);
  /**
   * Fills. Where the accounts' balances before the batch are not in memory, the columns `…_after` hold the change since
   * the batch began, and the write adds the balance before it.
   */
  readonly fills: CopyRows<ReadTables['fills']> | RowColumns<ReadTables['fills']>;
  /** Settlements, with `cash_after_units` as in fills. */
  readonly settlements: CopyRows<ReadTables['settlements']> | RowColumns<ReadTables['settlements']>;
  /** Merges, with the columns `…_shares_after` and `…_cost_after_units` as in fills. */
  readonly merges: CopyRows<ReadTables['merges']> | RowColumns<ReadTables['merges']>;
  readonly orderChanges = new CopyRows<ReadTables['order_changes']>(TABLES.order_changes.columns);
  readonly history = new CopyRows<ReadTables['market_history']>(TABLES.market_history.columns);
  /** Minutes of markets that have no row before this batch. */
  readonly minutes = new CopyRows<ReadTables['market_minutes']>(TABLES.market_minutes.columns);

  constructor(isWhole: boolean) {
    const Rows = isWhole ? CopyRows : RowColumns;
    this.fills = new Rows(TABLES.fills.columns);
    this.settlements = new Rows(TABLES.settlements.columns);
    this.merges = new Rows(TABLES.merges.columns);
  }
}

export interface BatchSettings {
  /** The tables that are written; default: all of them. */
  readonly tables?: ReadonlySet<TableName> | undefined;
  /** The accounts' cash and positions before the batch; default null: not known. */
  readonly holdings?: Holdings | null;
}

/** The folded writes of a batch of events: one row for each account, order, market or minute that it touches. */
export class Batch {
  readonly #tables: BatchSettings['tables'];
  readonly holdings: Holdings | null;
  #added: AddedRows;
  /** The new settings; null where no event of the batch changes them. */
  settings: Omit<ReadTables['settings'], 'name'> | null = null;
  readonly accountChanges = new Map<string, AccountChange>();
  readonly approved = new Set<string>();
  /** Sequences of the events that closed accounts, or had their names forgotten, by account. */
  readonly closed = new Map<string, number>();
  readonly forgotten = new Map<string, number>();
  /** The new times of dead-man switches, by account. */
  readonly cancelsAt = new Map<string, number | null>();
  readonly keys: ReadTables['api_keys'][] = [];
  readonly revoked = new Map<string, { readonly revoked_at_ms: number; readonly revoked_seq: number }>();
  /** The new mandates, by key. */
  readonly mandates = new Map<string, string | null>();
  readonly spending = new Map<string, SpendingChange>();
  readonly listed = new Map<string, { readonly event: MarketListed; readonly seq: number; readonly id: string }>();
  readonly amended = new Map<string, MarketAmended>();
  /** The changes of each market, by the market itself. */
  readonly markets = new Map<MarketFold, MarketChange>();
  /** The one of the last event: the next is often the same market's. */
  #lastMarket: MarketChange | null = null;
  /** Minutes of markets in which a batch before this one has ended. */
  readonly continuedMinutes: ReadTables['market_minutes'][] = [];
  /** Totals until the end of a minute. */
  readonly minutes = new Map<number, Totals>();
  /** Orders that were placed in this batch and have not ended. */
  readonly placed = new Map<string, OrderRow>();
  readonly changed = new Map<string, OrderChange>();
  readonly changedTerms = new Map<string, OrderTermsChange>();
  readonly resolutions: ReadTables['resolutions'][] = [];
  readonly signals = new Map<number, SignalRow>();
  /** `prob_after_half_units` of signals that were recorded before this batch. */
  readonly probabilityAfter = new Map<number, number>();

  constructor({ tables, holdings = null }: BatchSettings = {}) {
    this.#tables = tables;
    this.holdings = holdings;
    this.#added = new AddedRows(holdings !== null);
  }

  /** Skips the encoding of rows that are not written. */
  leavesOut(table: TableName): boolean {
    return this.#tables?.has(table) === false;
  }

  get added(): AddedRows {
    return this.#added;
  }

  /** The rows that were added since this was called last. */
  takeAdded(): AddedRows {
    const added = this.#added;
    this.#added = new AddedRows(this.holdings !== null);
    return added;
  }

  openAccount(row: ReadTables['accounts']): void {
    this.#added.accounts.push(row);
    this.holdings?.open(row.id, row.cash_units);
  }

  account(id: string): AccountChange {
    let change = this.accountChanges.get(id);
    if (change === undefined) {
      const cash_before_units = this.holdings?.cashUnits(id) ?? 0;
      change = {
        id,
        cash_before_units,
        cash_units: 0,
        trades: 0,
        volume_units: 0,
        last_fill_minute_ms: null,
      };
      this.accountChanges.set(id, change);
    }
    return change;
  }

  market(market: MarketFold): MarketChange {
    if (this.#lastMarket?.market === market) return this.#lastMarket;
    let change = this.markets.get(market);
    if (change === undefined) {
      change = { market, minuteMs: null, positions: new Map() };
      this.markets.set(market, change);
    }
    this.#lastMarket = change;
    return change;
  }

  /** Call before each event of the market, with its minute. */
  enterMinute(change: MarketChange, minuteMs: number): void {
    if (change.minuteMs === minuteMs) return;
    this.endMinute(change);
    change.minuteMs = minuteMs;
    change.market.candles.enter(minuteMs);
  }

  /** Makes the row of the minute that the market is in. Within this batch, no event of that minute may follow. */
  endMinute(change: MarketChange): void {
    const { market, minuteMs } = change;
    change.minuteMs = null;
    if (minuteMs === null) return;
    const isStored = market.storedMinuteMs === minuteMs;
    market.storedMinuteMs = minuteMs;
    if (this.leavesOut('market_minutes')) return;
    if (isStored) this.continuedMinutes.push(market.minute(minuteMs));
    else this.#added.minutes.add(market.minute(minuteMs));
  }

  addPosition(
    { market, positions }: MarketChange,
    accountId: string,
    outcome: Outcome,
    shares: number,
    costUnits: number,
  ): PositionChange {
    let change = positions.get(accountId);
    if (change === undefined) {
      const before = this.holdings?.positions(market.id).get(accountId) ?? null;
      change = {
        account_id: accountId,
        market_id: market.id,
        before,
        yes_shares: 0,
        no_shares: 0,
        yes_cost_units: 0,
        no_cost_units: 0,
      };
      positions.set(accountId, change);
    }
    if (outcome === 'yes') {
      change.yes_shares += shares;
      change.yes_cost_units += costUnits;
    } else {
      change.no_shares += shares;
      change.no_cost_units += costUnits;
    }
    return change;
  }

  positionChanges(): readonly PositionChange[] {
    return [...this.markets.values()].flatMap(({ positions }) => [...positions.values()]);
  }

  addFill(change: MarketChange, facts: FillFacts, own: FillSide): void {
    const { quantity } = facts;
    const priceUnits = own.outcome === 'yes' ? facts.yesPriceUnits : 10_000 - facts.yesPriceUnits;
    const buys = own.side === 'buy';
    const account = this.account(own.accountId);
    account.cash_units += buys ? -priceUnits * quantity : priceUnits * quantity;
    account.trades += 1;
    account.volume_units += priceUnits * quantity;
    account.last_fill_minute_ms = wholeMinute(facts.at);
    const position = this.addPosition(
      change,
      own.accountId,
      own.outcome,
      buys ? quantity : -quantity,
      buys ? own.costUnits : -own.costUnits,
    );
    const order = this.#order(own.orderId);
    order.filled += quantity;
    order.filled_cost_units += priceUnits * quantity;
    order.status = own.remaining === 0 ? 'filled' : 'partial';
    order.ended_seq = own.remaining === 0 ? facts.seq : null;
    this.#writeEnded(order);
    if (this.leavesOut('fills')) return;
    const held = movedPosition(position.before, position);
    this.#added.fills.add({
      seq: facts.seq,
      role: own.role,
      id: facts.id,
      account_id: own.accountId,
      order_id: own.orderId,
      market_id: change.market.id,
      side: own.side,
      outcome: own.outcome,
      price_units: priceUnits,
      yes_price_units: facts.yesPriceUnits,
      quantity,
      kind: facts.kind,
      prob_before_half_units: facts.beforeHalfUnits,
      prob_after_half_units: facts.afterHalfUnits,
      at_ms: facts.at,
      cash_after_units: account.cash_before_units + account.cash_units,
      yes_shares_after: held.yes_shares,
      no_shares_after: held.no_shares,
      yes_cost_after_units: held.yes_cost_units,
      no_cost_after_units: held.no_cost_units,
    });
  }

  /** Adds what an order counts towards its key's spending of the day. */
  spend(keyId: string, at: number, units: number): void {
    const day = Math.floor(at / DAY_MS);
    const change = this.spending.get(keyId);
    if (change === undefined) {
      this.spending.set(keyId, { id: keyId, spent_day: day, spent_units: units });
    } else {
      change.spent_units = units + (change.spent_day === day ? change.spent_units : 0);
      change.spent_day = day;
    }
  }

  /** Changes the limit and the total of a resting order. */
  changeOrder(event: OrderAmended | OrderReplaced, seq: number, id: string): void {
    const row = orderChangeRow(event, seq, id);
    const order = this.#order(event.orderId);
    order.status = row.filled === 0 ? 'open' : 'partial';
    if ('created_seq' in order) {
      order.price_units = row.price_units;
      order.quantity = row.quantity;
    } else {
      const { price_units, quantity } = row;
      this.changedTerms.set(order.id, { id: order.id, price_units, quantity });
    }
    if (!this.leavesOut('order_changes')) this.#added.orderChanges.add(row);
  }

  /** Turns pairs of an account's shares into $1 each. */
  addMerge(change: MarketChange, event: SharesMerged, seq: number, id: string): void {
    const { accountId, quantity, yesCostUnits, noCostUnits } = event;
    this.account(accountId).cash_units += 10_000 * quantity;
    this.addPosition(change, accountId, 'yes', -quantity, -yesCostUnits);
    const position = this.addPosition(change, accountId, 'no', -quantity, -noCostUnits);
    if (this.leavesOut('merges')) return;
    const held = movedPosition(position.before, position);
    this.#added.merges.add({
      seq,
      id,
      account_id: accountId,
      market_id: change.market.id,
      quantity,
      yes_cost_units: yesCostUnits,
      no_cost_units: noCostUnits,
      at_ms: event.at,
      cash_after_units: event.cashUnits,
      yes_shares_after: held.yes_shares,
      no_shares_after: held.no_shares,
      yes_cost_after_units: held.yes_cost_units,
      no_cost_after_units: held.no_cost_units,
    });
  }

  endOrder(orderId: string, reason: CancelReason, seq: number): void {
    const order = this.#order(orderId);
    order.status = 'cancelled';
    order.reason = reason;
    order.ended_seq = seq;
    this.#writeEnded(order);
  }

  setProbabilityAfter(signalSeq: number, probabilityHalfUnits: number): void {
    const own = this.signals.get(signalSeq);
    if (own === undefined) this.probabilityAfter.set(signalSeq, probabilityHalfUnits);
    else own.prob_after_half_units = probabilityHalfUnits;
  }

  /** An order's row that nothing will change any more is not kept until the batch ends. */
  #writeEnded(order: OrderRow | OrderChange): void {
    if (order.ended_seq === null || !('created_seq' in order)) return;
    this.placed.delete(order.id);
    if (!this.leavesOut('orders')) this.#added.endedOrders.add(order);
  }

  /** The order's row where this batch placed the order, else its changes. */
  #order(id: string): OrderRow | OrderChange {
    const known = this.placed.get(id) ?? this.changed.get(id);
    if (known !== undefined) return known;
    const change: OrderChange = { id, filled: 0, filled_cost_units: 0, status: 'open', reason: null, ended_seq: null };
    this.changed.set(id, change);
    return change;
  }
}
