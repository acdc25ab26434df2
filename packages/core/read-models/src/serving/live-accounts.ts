import type { AccountEventView } from '@paper/contracts/accounts';
import type { MarketNameView } from '@paper/contracts/markets';
import { fillSides } from '@paper/exchange';
import type { FillSide } from '@paper/exchange';
import type { ExchangeEvent, OrderFilled, PositionSettled } from '@paper/exchange/events';
import { orderChangeRow, orderRow } from '../models/orders/fold.ts';
import { orderEvent, toOrderDetail } from '../models/orders/order-view.ts';
import type { OrderRow } from '../models/orders/table.ts';
import type { AccountState } from '../reads/account-states.ts';

/** An event of the journal, with its position. */
export interface FollowedEvent {
  readonly event: ExchangeEvent;
  readonly id: string;
  readonly seq: number;
}

/** An account, as its last event left it. */
interface Account {
  readonly id: string;
  /** The account's state contains its events up to this sequence. */
  readonly since: number;
  cashUnits: number;
  readonly orders: Map<string, OrderRow>;
}

/**
 * Makes the events of accounts from the journal as it grows: the same ones that `accountEvents` reads from the tables.
 * Openings of accounts give no event here; `add` adds an account.
 */
export class LiveAccounts {
  readonly #accounts = new Map<string, Account>();
  #orders = 0;

  /** @param nameOf returns the names of a market that had an event since these accounts are followed */
  constructor(private readonly nameOf: (marketId: string) => MarketNameView) {}

  /** The number of live orders of all accounts, which determines the memory used. */
  get orders(): number {
    return this.#orders;
  }

  has(accountId: string): boolean {
    return this.#accounts.has(accountId);
  }

  /** Adds an account, as it was at a sequence. */
  add(id: string, { cashUnits, orders }: AccountState, since: number): void {
    this.delete(id);
    this.#accounts.set(id, { id, since, cashUnits, orders: new Map(orders.map((row) => [row.id, { ...row }])) });
    this.#orders += orders.length;
  }

  delete(id: string): void {
    this.#orders -= this.#accounts.get(id)?.orders.size ?? 0;
    this.#accounts.delete(id);
  }

  stateOf(id: string): AccountState | null {
    const account = this.#accounts.get(id);
    return account === undefined ? null : { cashUnits: account.cashUnits, orders: [...account.orders.values()] };
  }

  /** Applies the next event, and returns the accounts' events. @throws RangeError if it does not fit their state. */
  apply(followed: FollowedEvent): readonly AccountEventView[] {
    const { event } = followed;
    if (event.type === 'OrderFilled') {
      // Most fills are of accounts without an open stream.
      if (!this.#accounts.has(event.makerAccountId) && !this.#accounts.has(event.takerAccountId)) return [];
      return fillSides(event).flatMap((side) => {
        const account = this.#changedBy(followed, side.accountId);
        return account === null ? [] : this.#fill(account, side, event, followed);
      });
    }
    const account = 'accountId' in event ? this.#changedBy(followed, event.accountId) : null;
    return account === null ? [] : this.#change(account, followed);
  }

  #changedBy({ seq }: FollowedEvent, accountId: string): Account | null {
    const account = this.#accounts.get(accountId);
    return account === undefined || seq <= account.since ? null : account;
  }

  #change(account: Account, followed: FollowedEvent): readonly AccountEventView[] {
    const { event, id, seq } = followed;
    // No message shows a key, so none is given.
    const at = { seq, id, formerName: null, keyId: null };
    switch (event.type) {
      case 'OrderPlaced': {
        const row = orderRow(event, at);
        account.orders.set(row.id, row);
        this.#orders += 1;
        return [changedOrder(row, seq, event)];
      }
      case 'OrderAmended':
      case 'OrderReplaced': {
        const { filled, price_units, quantity, ...change } = orderChangeRow(event, at);
        const row = orderOf(account, event.orderId);
        Object.assign(row, { price_units, quantity, status: filled === 0 ? 'open' : 'partial' });
        return [changedOrder(row, seq, { fillQuantity: change.fill_quantity, restQuantity: change.rest_quantity })];
      }
      case 'OrderCancelled': {
        const row = orderOf(account, event.orderId);
        Object.assign(row, { status: 'cancelled', reason: event.reason });
        this.#end(account, row, seq);
        return [changedOrder(row, seq)];
      }
      case 'SharesMerged':
        account.cashUnits = event.cashUnits;
        return [cashEvent(account, seq)];
      case 'PositionSettled':
        account.cashUnits += event.payoutUnits;
        return [cashEvent(account, seq), this.#settled(event, followed)];
      default:
        return [];
    }
  }

  #fill(account: Account, side: FillSide, event: OrderFilled, { id, seq }: FollowedEvent): AccountEventView[] {
    const row = orderOf(account, side.orderId);
    account.cashUnits += side.cashUnits;
    row.filled += event.quantity;
    row.filled_cost_units += Math.abs(side.cashUnits);
    row.status = side.remaining === 0 ? 'filled' : 'partial';
    if (side.remaining === 0) this.#end(account, row, seq);
    const { marketId, kind, quantity, at: createdAt } = event;
    const { orderId, outcome, priceUnits, role, side: bought } = side;
    const what = { id, marketId, seq, outcome, side: bought, priceUnits, quantity, kind, createdAt, orderId, role };
    return [
      cashEvent(account, seq),
      {
        type: 'fill',
        seq,
        accountId: account.id,
        fill: { ...what, ...this.nameOf(marketId) },
        order: side.remaining === 0 ? toOrderDetail(row, seq) : null,
      },
    ];
  }

  #end(account: Account, row: OrderRow, seq: number): void {
    row.ended_seq = seq;
    account.orders.delete(row.id);
    this.#orders -= 1;
  }

  #settled(event: PositionSettled, { id, seq }: FollowedEvent): AccountEventView {
    const { accountId, at: settledAt, costUnits, marketId, outcome, payoutUnits, shares } = event;
    const what = { id, marketId, outcome, shares, payoutUnits, costUnits, settledAt };
    return { type: 'settled', seq, accountId, settled: { ...what, ...this.nameOf(marketId) } };
  }
}

/** @throws RangeError when the account has no such live order. */
function orderOf({ id, orders }: Account, orderId: string): OrderRow {
  const row = orders.get(orderId);
  if (row === undefined) throw new RangeError(`account ${id} has no live order ${orderId}`);
  return row;
}

/** @param entering set if the order enters the book: it then reserves money only if all of it rests at once */
function changedOrder(
  row: OrderRow,
  seq: number,
  entering?: { readonly fillQuantity: number; readonly restQuantity: number },
): AccountEventView {
  const order = toOrderDetail(row, seq);
  const rests = entering === undefined || (entering.fillQuantity === 0 && entering.restQuantity > 0);
  return orderEvent(rests ? order : { ...order, reservedUnits: 0 }, row.reason);
}

function cashEvent({ cashUnits, id: accountId }: Account, seq: number): AccountEventView {
  return { type: 'cash', seq, accountId, cashUnits };
}
