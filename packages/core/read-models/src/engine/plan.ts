import { CopiedRows, CopyRows, RowColumns } from '@paper/pg-bulk';
import type { ColumnArray, PipelinedStatement, RowParameters } from '@paper/pg-bulk';
import type { Table } from './table.ts';

/** A bulk statement that is ready to run. */
export interface Statement extends PipelinedStatement {
  readonly table: string;
  /** The number of rows that the statement must change; null if it is unknown. */
  readonly rows: number | null;
  /** The number of rows that are sent with the statement. */
  readonly sent: number;
}

/** How stored rows change. In the SQL, `t` is the row and `r` the record with the same key. */
export interface Change {
  /** Expressions for columns whose new value is not just the record's value. */
  readonly set?: Readonly<Record<string, string>>;
  readonly where?: string;
}

/**
 * Collects the statements of a batch, one for many rows. Many new rows go by COPY, at half the cost of an insert; other
 * rows as one array per column; a few rows of either kind as parameters, at half the cost of that.
 */
export class Plan {
  readonly statements: Statement[] = [];

  constructor(
    private readonly schema: string,
    private readonly writes: (table: Table) => boolean,
  ) {}

  insert(table: Table, rows: readonly object[]): void {
    if (rows.length === 0 || !this.writes(table)) return;
    const copied = new CopyRows(table.columns);
    for (const row of rows) copied.add(row);
    this.copy(table, copied);
  }

  /** Inserts rows that are already encoded. */
  copy<R extends object>(table: Table, copied: CopyRows<R>): void {
    if (copied.rows === 0 || !this.writes(table)) return;
    const names = Object.keys(table.columns).join(', ');
    const few = copied.parameters;
    if (few !== null) {
      const text = `insert into ${this.nameOf(table)} (${names}) values ${placeholders(few)}`;
      this.statements.push({ table: table.name, text, values: few.values, rows: null, sent: copied.rows });
      return;
    }
    this.statements.push({
      table: table.name,
      text: `copy ${this.nameOf(table)} (${names}) from stdin (format binary)`,
      values: new CopiedRows(copied.end()),
      rows: copied.rows,
      sent: copied.rows,
    });
  }

  /** Inserts rows whose columns get additions from joined rows. Each record must have its joined rows. */
  insertJoined<R extends object>(
    table: Table,
    rows: RowColumns<R>,
    joins: string,
    values: Readonly<Record<string, string>>,
  ): void {
    const columns = Object.keys(table.columns);
    const selected = columns.map((name) => values[name] ?? `r.${name}`);
    this.#add(
      table,
      rows,
      rows.rows,
      (into, r) => `insert into ${into} (${columns.join(', ')}) select ${selected.join(', ')} from ${r} ${joins}`,
    );
  }

  /** Changes stored rows. All records have the same columns (others than the table's are ignored), each has a row. */
  change(table: Table, rows: readonly object[], { set = {}, where = 'true' }: Change = {}): void {
    const first = rows[0] ?? {};
    const sets = Object.keys(table.columns)
      .filter((name) => name in first && !table.primaryKey.includes(name))
      .map((name) => `${name} = ${set[name] ?? `r.${name}`}`);
    this.#add(
      table,
      rows,
      rows.length,
      (t, r) => `update ${t} t set ${sets.join(', ')} from ${r} where ${keysEqual(table)} and ${where}`,
    );
  }

  /** For each record `r`, changes all stored rows that have the record's value in this column. */
  changeAll(table: Table, rows: readonly object[], column: string, set: string): void {
    this.#add(table, rows, null, (t, r) => `update ${t} t set ${set} from ${r} where t.${column} = r.${column}`);
  }

  /** Inserts rows, or replaces existing ones. */
  put(table: Table, rows: readonly object[]): void {
    const names = Object.keys(table.columns);
    const set = names.filter((name) => !table.primaryKey.includes(name)).map((name) => `${name} = excluded.${name}`);
    this.#add(
      table,
      rows,
      null,
      (into, r) => `insert into ${into} (${names.join(', ')}) select ${names.join(', ')} from ${r}
        on conflict (${table.primaryKey.join(', ')}) do update set ${set.join(', ')}`,
    );
  }

  merge(table: Table, rows: readonly object[], clauses: string): void {
    this.#add(table, rows, null, (t, r) => `merge into ${t} t using ${r} on ${keysEqual(table)} ${clauses}`);
  }

  nameOf(table: Table): string {
    return `"${this.schema}"."${table.name}"`;
  }

  #add<R extends object>(
    table: Table,
    added: readonly R[] | RowColumns<R>,
    expected: number | null,
    statement: (table: string, records: string) => string,
  ): void {
    if (!this.writes(table)) return;
    const rows = added instanceof RowColumns ? added : RowColumns.of(table.columns, added);
    if (rows.rows === 0) return;
    const few = rows.parameters;
    const columns = few === null ? rows.end() : [];
    const text = statement(this.nameOf(table), few === null ? records(columns) : fewRecords(few));
    const values = few?.values ?? columns.map(({ array }) => array);
    this.statements.push({ table: table.name, text, values, rows: expected, sent: rows.rows });
  }
}

/** Sends the rows as a table `r`, one array per column. One `unnest` of all arrays would take twice the time. */
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

/** The parameters of each row. Their types must be named only if the table's columns do not imply them. */
function placeholders({ columns, values }: RowParameters, cast: (type: string) => string = () => ''): string {
  const rows: string[] = [];
  for (let at = 0; at < values.length; at += columns.length) {
    rows.push(`(${columns.map(({ type }, index) => `$${at + index + 1}${cast(type)}`).join(', ')})`);
  }
  return rows.join(', ');
}

function keysEqual({ primaryKey }: Table): string {
  return primaryKey.map((column) => `t.${column} = r.${column}`).join(' and ');
}
