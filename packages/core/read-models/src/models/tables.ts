import type { Kysely } from 'kysely';
import { CHECKPOINT } from '../engine/checkpoint.ts';
import type { Row, Table } from '../engine/table.ts';
import { ACCOUNT_NAMES, ACCOUNTS, API_KEYS } from './accounts/table.ts';
import { BOOK_LEVELS, MARKET_HISTORY } from './books/table.ts';
import { FILLS } from './fills/table.ts';
import { MARKET_RECORDS } from './market-records/table.ts';
import { MARKETS } from './markets/table.ts';
import { MARKET_MINUTES, MINUTES } from './minutes/table.ts';
import { ORDER_CHANGES, ORDERS } from './orders/table.ts';
import { POSITIONS } from './positions/table.ts';
import { MERGES, RESOLUTIONS, SETTLEMENTS } from './settlements/table.ts';
import { SETTINGS } from './settings/table.ts';
import { SIGNALS } from './signals/table.ts';

/** Must be raised when tables, indexes or what is written into them change. A schema of another version is not read. */
export const PROJECTION_VERSION = 12;

/**
 * The tables of the read models. `…_units` are of $0.0001, `…_half_units` of $0.00005, `…_ms` ms since 1970 UTC,
 * `…_seq` sequences of the journal; `quantity` and `filled` count shares. Rows follow from events alone: a refilled
 * table is equal.
 */
export const TABLES = {
  checkpoint: CHECKPOINT,
  settings: SETTINGS,
  accounts: ACCOUNTS,
  account_names: ACCOUNT_NAMES,
  api_keys: API_KEYS,
  markets: MARKETS,
  market_records: MARKET_RECORDS,
  orders: ORDERS,
  order_changes: ORDER_CHANGES,
  positions: POSITIONS,
  fills: FILLS,
  resolutions: RESOLUTIONS,
  market_minutes: MARKET_MINUTES,
  minutes: MINUTES,
  market_history: MARKET_HISTORY,
  settlements: SETTLEMENTS,
  merges: MERGES,
  book_levels: BOOK_LEVELS,
  signals: SIGNALS,
} as const;

/** All tables, for code that does not need their names. */
export const ALL_TABLES: readonly Table[] = Object.values(TABLES);

export type TableName = keyof typeof TABLES;

/** A connection to the tables of one schema: the result of `withSchema`, or a transaction in it. */
export type ReadDb = Kysely<ReadTables>;

/** The database's type for Kysely: one row type for each table. */
export type ReadTables = { readonly [N in TableName]: Row<(typeof TABLES)[N]> };
