import { FORGOTTEN_KEY_NAME } from '@paper/contracts';
import { DAY_MS } from '@paper/contracts/units';
import type { ApiKeyIssued, EventOf, OrderPlaced, OrderReplaced } from '@paper/exchange/events';
import { ChangedRows } from '../../engine/changed-rows.ts';
import { AddedRows } from '../../engine/added-rows.ts';
import type { EventPosition, FoldSettings, ModelRows } from '../../engine/model.ts';
import type { Plan } from '../../engine/plan.ts';
import type { Writable } from '../../engine/table.ts';
import { model } from '../model.ts';
import { ACCOUNT_NAMES, ACCOUNTS, API_KEYS } from './table.ts';
import type { AccountNameRow, AccountRow, KeyRow } from './table.ts';

/** A batch's changes to an account. Amounts are added; the minute is that of the account's last fill in the batch. */
interface AccountChange extends Writable<
  Pick<AccountRow, 'id' | 'cash_units' | 'trades' | 'volume_units' | 'last_fill_minute_ms'>
> {
  /** The account's cash before the batch; 0 if it is unknown. */
  readonly cash_before_units: number;
}

/** How the changes of a batch are added to accounts, and to the spending of keys. */
const ADDED_TO_ACCOUNT = {
  cash_units: 't.cash_units + r.cash_units',
  trades: 't.trades + r.trades',
  volume_units: 't.volume_units + r.volume_units',
  last_fill_minute_ms: 'coalesce(r.last_fill_minute_ms, t.last_fill_minute_ms)',
};
const ADDED_TO_KEY = {
  spent_units: 'r.spent_units + case when t.spent_day = r.spent_day then t.spent_units else 0 end',
};

export class Accounts implements ModelRows {
  /** The cash of every account before the batch, summed from the first event on; null if it is unknown. */
  #cashUnits: Map<string, number> | null;
  readonly #opened: AddedRows<AccountRow>;
  readonly renamed: AddedRows<AccountNameRow>;
  readonly #changes = new Map<string, AccountChange>();
  /** Other changes of accounts, which are few. */
  readonly rows = new ChangedRows<AccountRow>(ACCOUNTS);
  readonly keys = new ChangedRows<KeyRow>(API_KEYS);
  /** The batch's addition to a key's spending, on the last day with spending. */
  readonly #spending = new Map<string, Writable<Pick<KeyRow, 'id' | 'spent_day' | 'spent_units'>>>();
  readonly #forgotten = new Set<string>();
  /** The number of sub-accounts of each primary that has some. */
  readonly subAccounts = new Map<string, number>();

  constructor(settings: FoldSettings) {
    this.#opened = new AddedRows(ACCOUNTS, settings);
    this.renamed = new AddedRows(ACCOUNT_NAMES, settings);
    this.#cashUnits = settings.positionsMax > 0 ? new Map() : null;
  }

  get erases(): boolean {
    return this.#forgotten.size > 0;
  }

  /** The account's cash before the batch; null if it is unknown, or there is no such account. */
  cashUnits(id: string): number | null {
    return this.#cashUnits?.get(id) ?? null;
  }

  nextSubAccount(primaryAccountId: string): number {
    const number = (this.subAccounts.get(primaryAccountId) ?? 0) + 1;
    this.subAccounts.set(primaryAccountId, number);
    return number;
  }

  open(row: AccountRow): void {
    this.#opened.add(row);
    this.#cashUnits?.set(row.id, row.cash_units);
  }

  /** Changes the account's cash. Returns the cash after it, or, if that is unknown, the sum of the batch's changes. */
  pay(id: string, units: number): number {
    const change = this.#change(id);
    change.cash_units += units;
    return change.cash_before_units + change.cash_units;
  }

  /** Counts a fill of the account, and changes its cash by it. Returns what `pay` returns. */
  trade(id: string, units: number, minuteMs: number): number {
    const change = this.#change(id);
    change.trades += 1;
    change.volume_units += Math.abs(units);
    change.last_fill_minute_ms = minuteMs;
    change.cash_units += units;
    return change.cash_before_units + change.cash_units;
  }

  /** Adds a buy's cost to its key's spending on that day. */
  spend({ at, keyId, spentUnits }: OrderPlaced | OrderReplaced): void {
    if (keyId === null || spentUnits === 0) return;
    const day = Math.floor(at / DAY_MS);
    const change = this.#spending.get(keyId);
    if (change === undefined) {
      this.#spending.set(keyId, { id: keyId, spent_day: day, spent_units: spentUnits });
    } else {
      change.spent_units = spentUnits + (change.spent_day === day ? change.spent_units : 0);
      change.spent_day = day;
    }
  }

  /** Clears the account's display name, and the names of its keys. */
  forget(id: string, seq: number): void {
    this.#forgotten.add(id);
    this.rows.set(id, { forgotten_seq: seq, display_name: null });
  }

  dropBalances(): void {
    this.#cashUnits = null;
  }

  planAdded(plan: Plan): void {
    this.#opened.planAdded(plan);
    this.renamed.planAdded(plan);
  }

  planChanged(plan: Plan): void {
    plan.change(ACCOUNTS, [...this.#changes.values()], { set: ADDED_TO_ACCOUNT });
    this.rows.plan(plan);
    this.keys.plan(plan);
    plan.change(API_KEYS, [...this.#spending.values()], { set: ADDED_TO_KEY });
    plan.changeAll(
      API_KEYS,
      [...this.#forgotten].map((account_id) => ({ account_id })),
      'account_id',
      `name = '${FORGOTTEN_KEY_NAME}'`,
    );
    for (const { id, cash_units } of this.#changes.values()) {
      this.#cashUnits?.set(id, (this.#cashUnits.get(id) ?? 0) + cash_units);
    }
    this.#changes.clear();
    this.#spending.clear();
    this.#forgotten.clear();
  }

  #change(id: string): AccountChange {
    let change = this.#changes.get(id);
    if (change === undefined) {
      const cash_before_units = this.cashUnits(id) ?? 0;
      change = { id, cash_before_units, cash_units: 0, trades: 0, volume_units: 0, last_fill_minute_ms: null };
      this.#changes.set(id, change);
    }
    return change;
  }
}

export const accounts = model<Accounts, { readonly accounts: Accounts }>({
  tables: [ACCOUNTS, ACCOUNT_NAMES, API_KEYS],
  create: (_rows, settings) => new Accounts(settings),
  async load(own, db) {
    const fleets = await db
      .selectFrom('accounts')
      .select('primary_account_id')
      .select((eb) => eb.fn.max('sub_account_number').as('subAccounts'))
      .where('primary_account_id', 'is not', null)
      .groupBy('primary_account_id')
      .execute();
    for (const { primary_account_id: id, subAccounts } of fleets) {
      if (id !== null && subAccounts !== null) own.subAccounts.set(id, subAccounts);
    }
  },
  async hasErased(db) {
    const forgotten = db.selectFrom('accounts').select('id').where('forgotten_seq', 'is not', null).limit(1);
    return (await forgotten.execute()).length > 0;
  },
  on: {
    AccountOpened: (event, at, { accounts }) => accounts.open(accountRow(event, at, null)),
    SubAccountOpened: (event, at, { accounts }) =>
      accounts.open(accountRow(event, at, accounts.nextSubAccount(event.primaryAccountId))),
    AccountRenamed: ({ accountId, nameDigest }, { seq }, { accounts }) =>
      accounts.renamed.add({ account_id: accountId, seq, name_digest: nameDigest }),
    AccountApproved: ({ accountId }, _at, { accounts }) => accounts.rows.set(accountId, { approved: true }),
    AccountClosed: ({ accountId }, { seq }, { accounts }) => accounts.rows.set(accountId, { closed_seq: seq }),
    DisplayNameForgotten: ({ accountId }, { seq }, { accounts }) => accounts.forget(accountId, seq),
    DeadManSwitchSet: ({ accountId, cancelsAt }, _at, { accounts }) =>
      accounts.rows.set(accountId, { cancels_at_ms: cancelsAt }),
    ApiKeyIssued: (event, { seq }, { accounts }) => accounts.keys.add(keyRow(event, seq)),
    ApiKeyRevoked: ({ at, keyId }, { seq }, { accounts }) =>
      accounts.keys.set(keyId, { revoked_at_ms: at, revoked_seq: seq }),
    MandateSet: ({ keyId, mandate }, _at, { accounts }) =>
      accounts.keys.set(keyId, { mandate: mandate === null ? null : JSON.stringify(mandate) }),
    OrderPlaced: (event, _at, { accounts }) => accounts.spend(event),
    OrderReplaced: (event, _at, { accounts }) => accounts.spend(event),
  },
});

function accountRow(
  opened: EventOf<'AccountOpened'> | EventOf<'SubAccountOpened'>,
  { seq, formerName }: EventPosition,
  subAccountNumber: number | null,
): AccountRow {
  const sub = opened.type === 'SubAccountOpened' ? opened : null;
  return {
    id: opened.accountId,
    primary_account_id: sub?.primaryAccountId ?? null,
    sub_account_number: subAccountNumber,
    display_name: formerName,
    starting_balance_units: opened.startingBalanceUnits,
    cash_units: opened.startingBalanceUnits,
    permissions: sub?.permissions ?? [],
    approved: false,
    created_at_ms: opened.at,
    created_seq: seq,
    trades: 0,
    volume_units: 0,
    last_fill_minute_ms: null,
    cancels_at_ms: null,
    closed_seq: null,
    forgotten_seq: null,
  };
}

function keyRow(event: ApiKeyIssued, seq: number): KeyRow {
  return {
    id: event.keyId,
    account_id: event.accountId,
    key_hash: event.keyHash,
    name: event.name,
    permissions: event.permissions,
    last4: event.last4,
    created_at_ms: event.at,
    created_seq: seq,
    revoked_at_ms: null,
    revoked_seq: null,
    mandate: null,
    spent_day: 0,
    spent_units: 0,
  };
}
