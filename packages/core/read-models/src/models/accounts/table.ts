import type { Permission } from '@paper/exchange/vocabulary';
import { bool, int8, nullable, text, texts } from '@paper/pg-bulk';
import { table } from '../../engine/table.ts';
import type { Row } from '../../engine/table.ts';

export const ACCOUNTS = table(
  'accounts',
  {
    id: text(),
    primary_account_id: nullable(text()),
    /** The number among the primary's sub-accounts, in the order of opening and from 1; null for a primary. */
    sub_account_number: nullable(int8),
    /** The name in the event of an account that was opened before names left the journal. See `displayNameOf`. */
    display_name: nullable(text()),
    starting_balance_units: int8,
    /** The account's cash, including what resting buys reserve. */
    cash_units: int8,
    /** A sub-account's permissions; empty for a primary, whose keys have permissions of their own. */
    permissions: texts<Permission>(),
    approved: bool,
    created_at_ms: int8,
    created_seq: int8,
    /** The number of the account's fills, as taker and as maker. */
    trades: int8,
    /** The sum of own price × shares over the account's fills. */
    volume_units: int8,
    /** The start of the minute of the account's last fill. */
    last_fill_minute_ms: nullable(int8),
    /** The time at which the account's dead-man switch cancels its orders; null while it is off. */
    cancels_at_ms: nullable(int8),
    closed_seq: nullable(int8),
    /** The sequence of the event that had the account's names forgotten; null if there is none. */
    forgotten_seq: nullable(int8),
  },
  ['id'],
  {
    checks: ['cash_units >= 0'],
    indexes: [
      { on: '(primary_account_id, created_seq) where primary_account_id is not null' },
      { on: '(last_fill_minute_ms) where last_fill_minute_ms is not null' },
    ],
    private: ['display_name'],
  },
);

/** The changes of display names. Without one, the account has the name that it was opened with. */
export const ACCOUNT_NAMES = table(
  'account_names',
  {
    account_id: text(),
    /** The sequence from which the account has the name. */
    seq: int8,
    name_digest: text(),
  },
  ['account_id', 'seq'],
);

export const API_KEYS = table(
  'api_keys',
  {
    id: text(),
    account_id: text(),
    key_hash: text(),
    name: text(),
    permissions: texts<Permission>(),
    last4: text(),
    created_at_ms: int8,
    created_seq: int8,
    revoked_at_ms: nullable(int8),
    revoked_seq: nullable(int8),
    /** The key's limits, a `Mandate` of the exchange as JSON; null without limits. */
    mandate: nullable(text()),
    /** The day of `spent_units`, in days since 1970 UTC. */
    spent_day: int8,
    /** The sum of what the key's buys on that day cost, and reserved when they were placed. */
    spent_units: int8,
  },
  ['id'],
  {
    checks: ['(revoked_at_ms is null) = (revoked_seq is null)'],
    indexes: [
      { unique: true, on: '(key_hash)' },
      { on: '(account_id, created_seq) where revoked_seq is null' },
      { on: '(account_id, revoked_seq) where revoked_seq is not null' },
    ],
    private: ['name'],
  },
);

export type AccountNameRow = Row<typeof ACCOUNT_NAMES>;
export type AccountRow = Row<typeof ACCOUNTS>;
export type KeyRow = Row<typeof API_KEYS>;
