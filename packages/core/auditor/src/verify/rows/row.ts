/** A row of a read model, by column, as the auditor computes it from events. Money is in units, times are in ms. */
export type Row = Readonly<Record<string, unknown>>;

/** The read models' tables, each with the names and types of its key columns. */
export const TABLE_KEYS = {
  accounts: { id: 'text' },
  account_names: { account_id: 'text', seq: 'int8' },
  api_keys: { id: 'text' },
  book_levels: { market_id: 'text', side: 'text', yes_price_units: 'int8' },
  fills: { seq: 'int8', role: 'text' },
  market_history: { market_id: 'text', seq: 'int8' },
  market_records: { market_id: 'text', seq: 'int8' },
  market_minutes: { market_id: 'text', minute_ms: 'int8' },
  markets: { id: 'text' },
  merges: { seq: 'int8' },
  minutes: { minute_ms: 'int8' },
  order_changes: { order_id: 'text', seq: 'int8' },
  orders: { id: 'text' },
  positions: { account_id: 'text', market_id: 'text' },
  resolutions: { market_id: 'text' },
  settings: { name: 'text' },
  settlements: { seq: 'int8' },
  signals: { seq: 'int8' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

export type TableName = keyof typeof TABLE_KEYS;

/** Receives a row once no later event can change it. */
export type Emit = (table: TableName, row: Row) => void;

/** Where an event is in the journal. */
export interface EventPosition {
  readonly id: string;
  readonly seq: number;
  readonly keyId: string | null;
}

export const startOfMinutes = (minutes: number, ms: number): number => ms - (ms % (minutes * 60_000));
export const startOfMinute = (ms: number): number => startOfMinutes(1, ms);
