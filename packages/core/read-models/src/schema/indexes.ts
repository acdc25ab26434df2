import { LIFETIME_NODE } from '../queries/as-of/lifetime.ts';
import { IS_MARK } from './marks.ts';
import type { TableName } from './tables.ts';

/**
 * The indexes, one for each sort order in which a query reads. Paged lists are ordered by a sequence, so that a cursor
 * stays valid after a rebuild.
 */
export const INDEXES: readonly { readonly table: TableName; readonly unique?: true; readonly on: string }[] = [
  { table: 'accounts', on: '(primary_account_id, created_seq) where primary_account_id is not null' },
  { table: 'api_keys', unique: true, on: '(key_hash)' },
  { table: 'api_keys', on: '(account_id, created_seq) where revoked_seq is null' },
  { table: 'api_keys', on: '(account_id, revoked_seq) where revoked_seq is not null' },
  { table: 'markets', on: '(created_seq)' },
  { table: 'markets', on: '(last_fill_minute_ms) where last_fill_minute_ms is not null' },
  { table: 'markets', on: '(phase, created_seq)' },
  { table: 'markets', on: '(status, created_seq)' },
  { table: 'markets', on: '(status, sector, created_seq)' },
  { table: 'markets', on: '(status, company_slug, created_seq)' },
  { table: 'markets', on: '(status, closes_at_ms, id collate "C")' },
  { table: 'orders', on: '(account_id, created_seq)' },
  { table: 'orders', on: '(account_id, created_seq) where ended_seq is null' },
  { table: 'orders', on: '(account_id, ended_seq) where ended_seq is not null' },
  { table: 'orders', on: '(account_id, status, ended_seq) where ended_seq is not null' },
  { table: 'orders', on: '(account_id, market_id, ended_seq) where ended_seq is not null' },
  { table: 'orders', on: `(account_id, (${LIFETIME_NODE})) where ended_seq is not null` },
  { table: 'orders', on: '(account_id, client_order_id, created_seq) where client_order_id is not null' },
  { table: 'order_changes', on: '(account_id, seq)' },
  { table: 'accounts', on: '(last_fill_minute_ms) where last_fill_minute_ms is not null' },
  { table: 'fills', on: '(account_id, seq)' },
  { table: 'fills', on: '(account_id, market_id, seq)' },
  { table: 'fills', on: "(market_id, seq) where role = 'taker'" },
  { table: 'fills', on: "(at_ms, seq) where role = 'taker'" },
  { table: 'fills', on: '(order_id, seq)' },
  { table: 'market_history', on: '(market_id, seq) where title is not null' },
  { table: 'market_history', on: `(market_id, at_ms, seq) where ${IS_MARK}` },
  { table: 'market_history', on: `(market_id, event_number) where ${IS_MARK}` },
  { table: 'resolutions', on: '(seq)' },
  { table: 'settlements', on: '(account_id, seq)' },
  { table: 'merges', on: '(account_id, seq)' },
  { table: 'merges', on: '(account_id, market_id, seq)' },
  { table: 'signals', on: '(market_id, seq) where market_id is not null' },
  { table: 'signals', on: '(market_id, seq) where market_id is not null and fair_prob is not null' },
];
