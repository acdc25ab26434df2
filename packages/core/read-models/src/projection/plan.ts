import { CopiedRows, CopyRows, RowColumns } from '@paper/pg-bulk';
import type { ColumnArray, PipelinedStatement, RowParameters } from '@paper/pg-bulk';
import { searchForm } from '../models/markets/search-form.ts';
import { TABLES } from '../models/tables.ts';
import type { ReadTables, TableName } from '../models/tables.ts';
import type { AddedRows, Batch, PositionChange } from './batch.ts';
import type { BookSide } from '../models/markets/book-side.ts';
import type { MarketFigures, MarketFold } from './market-fold.ts';
import { FORGOTTEN_KEY_NAME, marketRow } from './rows.ts';

/** A bulk statement that is ready to run. */
export interface Statement extends PipelinedStatement {
  readonly table: TableName;
  /** The number of rows that the statement must change; null where it is not known. */
  readonly rows: number | null;
  /** The number of rows that are sent with the statement. */
  readonly sent: number;
}

/**
 * The writes of a batch before its end: only rows that are added. Some of them add the batch's changes to the balances
 * before the batch, so accounts and positions are not written before the batch ends.
 */
export function planPart(schema: string, batch: Batch): readonly Statement[] {
  const plan = new Plan(schema, batch);
  planAdded(plan, batch.takeAdded());
  return plan.statements;
}

/** The writes of a batch: a few bulk statements, for any number of events. */
export function planBatch(schema: string, batch: Batch): readonly Statement[] {
  const plan = new Plan(schema, batch);
  planAdded(plan, batch.takeAdded());
  plan.put('settings', batch.settings === null ? [] : [{ name: 'main', ...batch.settings }]);
  plan.insert('api_keys', batch.keys);
  plan.insert(
    'markets',
    [...batch.markets.keys()].flatMap((market) => listing(batch, market)),
  );
  plan.insert('orders', [...batch.placed.values()]);
  plan.insert('resolutions', batch.resolutions);
  plan.insert('signals', [...batch.signals.values()]);
  plan.update(
    'accounts',
    [...batch.accountChanges.values()],
    `cash_units = t.cash_units + r.cash_units, trades = t.trades + r.trades,
     volume_units = t.volume_units + r.volume_units,
     last_fill_minute_ms = coalesce(r.last_fill_minute_ms, t.last_fill_minute_ms)`,
  );
  plan.update(
    'accounts',
    [...batch.approved].map((id) => ({ id })),
    'approved = true',
  );
  plan.update(
    'api_keys',
    [...batch.revoked].map(([id, revocation]) => ({ id, ...revocation })),
    'revoked_at_ms = r.revoked_at_ms, revoked_seq = r.revoked_seq',
  );
  planSwitchesAndMandates(plan, batch);
  planClosings(plan, batch);
  // Before the fills: what an order has filled never exceeds its total, of which it may have more now.
  plan.update(
    'orders',
    [...batch.changedTerms.values()],
    'price_units = r.price_units, quantity = r.quantity',
    't.ended_seq is null',
  );
  plan.update(
    'orders',
    [...batch.changed.values()],
    `filled = t.filled + r.filled, filled_cost_units = t.filled_cost_units + r.filled_cost_units,
     status = r.status, reason = r.reason, ended_seq = r.ended_seq`,
    't.ended_seq is null',
  );
  plan.update(
    'signals',
    [...batch.probabilityAfter].map(([seq, prob_after_half_units]) => ({ seq, prob_after_half_units })),
    'prob_after_half_units = r.prob_after_half_units',
  );
  planMarkets(plan, batch);
  planMinutes(plan, batch);
  planPositions(plan, batch);
  planLevels(plan, batch);
  return plan.statements;
}

/** What the position `p` had before the batch. */
const POSITION_BEFORE = {
  yes_shares_after: 'coalesce(p.yes_shares, 0)',
  no_shares_after: 'coalesce(p.no_shares, 0)',
  yes_cost_after_units: 'coalesce(p.yes_cost_units, 0)',
  no_cost_after_units: 'coalesce(p.no_cost_units, 0)',
};

function planAdded(plan: Plan, added: AddedRows): void {
  plan.insert('accounts', added.accounts);
  plan.copy('orders', added.endedOrders);
  plan.copy('order_changes', added.orderChanges);
  plan.insertMoved('fills', added.fills, { cash_after_units: 'a.cash_units', ...POSITION_BEFORE });
  plan.insertMoved('merges', added.merges, POSITION_BEFORE);
  plan.insertMoved('settlements', added.settlements, { cash_after_units: 'a.cash_units' });
  plan.copy('market_history', added.history);
  plan.copy('market_minutes', added.minutes);
}

/** Dead-man switches of accounts, mandates of keys, and what keys have spent. */
function planSwitchesAndMandates(plan: Plan, batch: Batch): void {
  plan.update(
    'accounts',
    [...batch.cancelsAt].map(([id, cancels_at_ms]) => ({ id, cancels_at_ms })),
    'cancels_at_ms = r.cancels_at_ms',
  );
  plan.update(
    'api_keys',
    [...batch.mandates].map(([id, mandate]) => ({ id, mandate })),
    'mandate = r.mandate',
  );
  plan.update(
    'api_keys',
    [...batch.spending.values()],
    `spent_units = r.spent_units + case when t.spent_day = r.spent_day then t.spent_units else 0 end,
     spent_day = r.spent_day`,
  );
}

/** Closed accounts, and the names that were forgotten: keys of this batch are written already. */
function planClosings(plan: Plan, batch: Batch): void {
  plan.update(
    'accounts',
    [...batch.closed].map(([id, closed_seq]) => ({ id, closed_seq })),
    'closed_seq = r.closed_seq',
  );
  const forgotten = [...batch.forgotten].map(([id, forgotten_seq]) => ({ id, forgotten_seq }));
  plan.update('accounts', forgotten, 'forgotten_seq = r.forgotten_seq, display_name = null');
  plan.updateOf(
    'api_keys',
    [...batch.forgotten.keys()].map((account_id) => ({ account_id })),
    'account_id',
    `name = '${FORGOTTEN_KEY_NAME}'`,
  );
}

/** A new market's row with its figures at the end of the batch; nothing for one that was listed before. */
function listing(batch: Batch, market: MarketFold): ReadTables['markets'][] {
  const listed = batch.listed.get(market.id);
  if (listed === undefined) return [];
  return [marketRow(listed.event, listed, market.figures())];
}

function planMarkets(plan: Plan, batch: Batch): void {
  const existing: ({ readonly id: string } & MarketFigures)[] = [];
  for (const market of batch.markets.keys()) {
    if (!batch.listed.has(market.id)) existing.push({ id: market.id, ...market.figures() });
  }
  const figures = Object.keys(existing[0] ?? {}).filter((column) => column !== 'id');
  plan.update('markets', existing, figures.map((column) => `${column} = r.${column}`).join(', '));
  plan.update(
    'markets',
    [...batch.amended.values()].map((event) => ({
      id: event.marketId,
      title: event.title,
      title_search: searchForm(event.title),
      description: event.description,
      citation_url: event.citationUrl,
      drivers: event.drivers,
      company_impact: event.companyImpact,
      closes_at_ms: event.closesAt,
    })),
    `title = r.title, title_search = r.title_search, description = r.description, citation_url = r.citation_url, drivers = r.drivers,
     company_impact = r.company_impact, closes_at_ms = r.closes_at_ms`,
  );
}

/** A batch may begin in the minute in which the batch before ended. */
function planMinutes(plan: Plan, batch: Batch): void {
  plan.replace('market_minutes', batch.continuedMinutes);
  plan.put(
    'minutes',
    [...batch.minutes].map(([minute_ms, totals]) => ({ minute_ms, ...totals })),
  );
}

/** A position without shares has no row. Those that are known to be new are copied. */
function planPositions(plan: Plan, batch: Batch): void {
  const isNew = ({ before }: PositionChange): boolean => batch.holdings !== null && before === null;
  const changes = batch.positionChanges();
  plan.insert(
    'positions',
    changes.filter((change) => isNew(change) && (change.yes_shares !== 0 || change.no_shares !== 0)),
  );
  plan.merge(
    'positions',
    changes.filter((change) => !isNew(change)),
    `when matched and t.yes_shares + r.yes_shares = 0 and t.no_shares + r.no_shares = 0
       and t.yes_cost_units + r.yes_cost_units = 0 and t.no_cost_units + r.no_cost_units = 0 then delete
     when matched then update set yes_shares = t.yes_shares + r.yes_shares, no_shares = t.no_shares + r.no_shares,
       yes_cost_units = t.yes_cost_units + r.yes_cost_units, no_cost_units = t.no_cost_units + r.no_cost_units
     when not matched and (r.yes_shares <> 0 or r.no_shares <> 0) then
       insert (account_id, market_id, yes_shares, no_shares, yes_cost_units, no_cost_units)
       values (r.account_id, r.market_id, r.yes_shares, r.no_shares, r.yes_cost_units, r.no_cost_units)`,
  );
}

function planLevels(plan: Plan, batch: Batch): void {
  const levels: ReadTables['book_levels'][] = [];
  const collect = (market_id: string, side: 'bid' | 'ask', book: BookSide): void => {
    for (const { priceUnits, quantity, orders } of book.takeChanged()) {
      levels.push({ market_id, side, yes_price_units: priceUnits, quantity, orders });
    }
  };
  for (const market of batch.markets.keys()) {
    collect(market.id, 'bid', market.bids);
    collect(market.id, 'ask', market.asks);
  }
  plan.merge(
    'book_levels',
    levels,
    `when matched and r.quantity = 0 then delete
     when matched then update set quantity = r.quantity, orders = r.orders
     when not matched and r.quantity > 0 then insert (market_id, side, yes_price_units, quantity, orders)
       values (r.market_id, r.side, r.yes_price_units, r.quantity, r.orders)`,
  );
}

/**
 * Builds one statement for many rows, and none for no rows. Many new rows are written with COPY, which costs Postgres half
 * of an insert; other rows are sent as one array per column. A few rows of either kind are sent as single parameters, at
 * half of the cost of an array or a copy.
 */
class Plan {
  readonly statements: Statement[] = [];

  constructor(
    private readonly schema: string,
    private readonly batch: Pick<Batch, 'leavesOut'>,
  ) {}

  insert(table: TableName, rows: readonly object[]): void {
    if (this.batch.leavesOut(table)) return;
    const copied = new CopyRows(TABLES[table].columns);
    for (const row of rows) copied.add(row);
    this.copy(table, copied);
  }

  copy<R extends object>(table: TableName, copied: CopyRows<R>): void {
    if (copied.rows === 0 || this.batch.leavesOut(table)) return;
    const names = Object.keys(TABLES[table].columns).join(', ');
    const few = copied.parameters;
    if (few !== null) {
      const text = `insert into ${this.#nameOf(table)} (${names}) values ${placeholders(few)}`;
      this.statements.push({ table, text, values: few.values, rows: null, sent: copied.rows });
      return;
    }
    this.statements.push({
      table,
      text: `copy ${this.#nameOf(table)} (${names}) from stdin (format binary)`,
      values: new CopiedRows(copied.end()),
      rows: copied.rows,
      sent: copied.rows,
    });
  }

  /**
   * Rows of an account's movements in a market, which are copied where they are whole. `before`: what was there before the
   * batch, which is added to what the column says that the batch has moved; `a` is the account's row, `p` its position, if
   * it has one.
   */
  insertMoved<R extends object>(
    table: 'fills' | 'merges' | 'settlements',
    rows: CopyRows<R> | RowColumns<R>,
    before: Readonly<Record<string, string>>,
  ): void {
    if (rows instanceof CopyRows) {
      this.copy(table, rows);
      return;
    }
    const columns = Object.keys(TABLES[table].columns);
    const values = columns.map((name) => (name in before ? `${before[name]} + r.${name}` : `r.${name}`));
    this.#add(
      table,
      rows,
      rows.rows,
      (into, r) => `insert into ${into} (${columns.join(', ')}) select ${values.join(', ')} from ${r}
        join ${this.#nameOf('accounts')} a on a.id = r.account_id
        left join ${this.#nameOf('positions')} p on p.account_id = r.account_id and p.market_id = r.market_id`,
    );
  }

  /** `t` is the row, `r` the record of the same key, which must have a row. */
  update(table: TableName, rows: readonly object[], set: string, where = 'true'): void {
    this.#add(
      table,
      RowColumns.of(TABLES[table].columns, rows),
      rows.length,
      (t, r) => `update ${t} t set ${set} from ${r} where ${keysEqual(table)} and ${where}`,
    );
  }

  /** Updates any number of rows for each record `r`: those that have its value in this column. */
  updateOf(table: TableName, rows: readonly object[], column: string, set: string): void {
    this.#add(
      table,
      RowColumns.of(TABLES[table].columns, rows),
      null,
      (t, r) => `update ${t} t set ${set} from ${r} where t.${column} = r.${column}`,
    );
  }

  /** Replaces rows by their present values. Each must be there. */
  replace(table: TableName, rows: readonly object[]): void {
    const set = figuresOf(table).map((name) => `${name} = r.${name}`);
    this.update(table, rows, set.join(', '));
  }

  /** Inserts or replaces rows by their present values. */
  put(table: TableName, rows: readonly object[]): void {
    const names = Object.keys(TABLES[table].columns);
    const key: readonly string[] = TABLES[table].primaryKey;
    const set = figuresOf(table).map((name) => `${name} = excluded.${name}`);
    this.#add(
      table,
      RowColumns.of(TABLES[table].columns, rows),
      null,
      (into, r) => `insert into ${into} (${names.join(', ')}) select ${names.join(', ')} from ${r}
        on conflict (${key.join(', ')}) do update set ${set.join(', ')}`,
    );
  }

  merge(table: TableName, rows: readonly object[], clauses: string): void {
    this.#add(
      table,
      RowColumns.of(TABLES[table].columns, rows),
      null,
      (t, r) => `merge into ${t} t using ${r} on ${keysEqual(table)} ${clauses}`,
    );
  }

  #add<R extends object>(
    table: TableName,
    rows: RowColumns<R>,
    expected: number | null,
    statement: (table: string, records: string) => string,
  ): void {
    if (rows.rows === 0 || this.batch.leavesOut(table)) return;
    const few = rows.parameters;
    const columns = few === null ? rows.end() : [];
    const text = statement(this.#nameOf(table), few === null ? records(columns) : fewRecords(few));
    const values = few?.values ?? columns.map(({ array }) => array);
    this.statements.push({ table, text, values, rows: expected, sent: rows.rows });
  }

  #nameOf(table: TableName): string {
    return `"${this.schema}"."${table}"`;
  }
}

/**
 * Sends the rows as a table `r`, with one array for each column. The arrays are unnested side by side in the list of
 * columns. That takes half of the time of one `unnest` of all arrays, which first stores each array's elements and then
 * builds the rows.
 */
function records(columns: readonly ColumnArray[]): string {
  const unnested = columns.map(({ name, arrayType }, index) => `unnest($${index + 1}::${arrayType}) as ${name}`);
  const selected = columns.map(({ name, ofJson }) =>
    ofJson ? `array(select json_array_elements_text(u.${name}::json)) as ${name}` : name,
  );
  return `(select ${selected.join(', ')} from (select ${unnested.join(', ')}) u) r`;
}

/** Sends a few rows as a table `r`, with one parameter for each value. */
function fewRecords(few: RowParameters): string {
  return `(values ${placeholders(few, (type) => `::${type}`)}) r (${few.columns.map(({ name }) => name).join(', ')})`;
}

/** The parameters of each row. Their types need be named only where the table's columns do not imply them. */
function placeholders({ columns, values }: RowParameters, cast: (type: string) => string = () => ''): string {
  const rows: string[] = [];
  for (let at = 0; at < values.length; at += columns.length) {
    rows.push(`(${columns.map(({ type }, index) => `$${at + index + 1}${cast(type)}`).join(', ')})`);
  }
  return rows.join(', ');
}

/** The columns that are not of the key. */
function figuresOf(table: TableName): string[] {
  const key: readonly string[] = TABLES[table].primaryKey;
  return Object.keys(TABLES[table].columns).filter((name) => !key.includes(name));
}

function keysEqual(table: TableName): string {
  return TABLES[table].primaryKey.map((column) => `t.${column} = r.${column}`).join(' and ');
}
