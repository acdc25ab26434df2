import type { RawBuilder, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { Columns } from '../columns.ts';
import { TABLES } from '../tables.ts';
import type { ReadTables, TableName } from '../tables.ts';
import type { Batch } from './batch.ts';
import { ProjectionFault } from './faults.ts';
import type { BookSide } from './book-side.ts';
import type { MarketFigures, MarketFold } from './market-fold.ts';

/** Writes a folded batch: a few bulk statements, whatever the number of events behind it. */
export async function writeBatch(trx: Transaction<ReadTables>, schema: string, batch: Batch): Promise<void> {
  const bulk = new BulkWriter(trx, schema);
  await bulk.insert('accounts', batch.accounts);
  await bulk.insert('api_keys', batch.keys);
  await bulk.insert(
    'markets',
    [...batch.markets].flatMap((market) => listing(batch, market)),
  );
  await bulk.insert('orders', [...batch.placed.values()]);
  await bulk.insert('fills', batch.fills);
  await bulk.insert('settlements', batch.settlements);
  await bulk.insert('signals', [...batch.signals.values()]);
  await bulk.update(
    'accounts',
    [...batch.cash].flatMap(([id, cash]) => (cash === 0 ? [] : [{ id, cash }])),
    'cash = t.cash + r.cash',
  );
  await bulk.update(
    'accounts',
    [...batch.approved].map((id) => ({ id })),
    'approved = true',
  );
  await bulk.update(
    'api_keys',
    [...batch.revoked].map(([id, revoked_at]) => ({ id, revoked_at })),
    'revoked_at = r.revoked_at',
  );
  await bulk.update(
    'orders',
    [...batch.changed.values()],
    `filled = t.filled + r.filled, filled_cost = t.filled_cost + r.filled_cost, status = r.status, reason = r.reason,
     ended_seq = r.ended_seq`,
    't.ended_seq is null',
  );
  await bulk.update(
    'signals',
    [...batch.probabilityAfter].map(([seq, prob_after_half]) => ({ seq, prob_after_half })),
    'prob_after_half = r.prob_after_half',
  );
  await writeMarkets(bulk, batch);
  await writePositions(bulk, batch);
  await writeLevels(bulk, batch);
}

/** A new market's row with its figures at the end of the batch; nothing for one that was listed before. */
function listing(batch: Batch, market: MarketFold): ReadTables['markets'][] {
  const listed = batch.listed.get(market.id);
  if (listed === undefined) return [];
  const { event, seq } = listed;
  return [
    {
      id: event.marketId,
      title: event.title,
      ticker: event.ticker,
      company_slug: event.companySlug,
      sector: event.sector,
      category: event.category,
      settlement_source: event.settlementSource,
      description: event.description,
      citation_url: event.citationUrl,
      drivers: event.drivers,
      company_impact: event.companyImpact,
      prior: event.priorUnits,
      tick: event.tickUnits,
      closes_at: event.closesAt,
      created_at: event.at,
      created_seq: seq,
      ...market.figures(),
    },
  ];
}

async function writeMarkets(bulk: BulkWriter, batch: Batch): Promise<void> {
  const known: ({ readonly id: string } & MarketFigures)[] = [];
  for (const market of batch.markets) {
    if (!batch.listed.has(market.id)) known.push({ id: market.id, ...market.figures() });
  }
  const figures = Object.keys(known[0] ?? {}).filter((column) => column !== 'id');
  await bulk.update('markets', known, figures.map((column) => `${column} = r.${column}`).join(', '));
  await bulk.update(
    'markets',
    [...batch.amended.values()].map((event) => ({
      id: event.marketId,
      title: event.title,
      description: event.description,
      citation_url: event.citationUrl,
      drivers: event.drivers,
      company_impact: event.companyImpact,
      closes_at: event.closesAt,
    })),
    `title = r.title, description = r.description, citation_url = r.citation_url, drivers = r.drivers,
     company_impact = r.company_impact, closes_at = r.closes_at`,
  );
}

/** A position without shares has no row. */
async function writePositions(bulk: BulkWriter, batch: Batch): Promise<void> {
  await bulk.merge(
    'positions',
    [...batch.positions.values()],
    `when matched and t.yes_shares + r.yes_shares = 0 and t.no_shares + r.no_shares = 0
       and t.yes_cost + r.yes_cost = 0 and t.no_cost + r.no_cost = 0 then delete
     when matched then update set yes_shares = t.yes_shares + r.yes_shares, no_shares = t.no_shares + r.no_shares,
       yes_cost = t.yes_cost + r.yes_cost, no_cost = t.no_cost + r.no_cost
     when not matched and (r.yes_shares <> 0 or r.no_shares <> 0) then
       insert (account_id, market_id, yes_shares, no_shares, yes_cost, no_cost)
       values (r.account_id, r.market_id, r.yes_shares, r.no_shares, r.yes_cost, r.no_cost)`,
  );
}

async function writeLevels(bulk: BulkWriter, batch: Batch): Promise<void> {
  const levels: ReadTables['book_levels'][] = [];
  const collect = (market_id: string, side: 'bid' | 'ask', book: BookSide): void => {
    for (const yes_price of book.changed) levels.push({ market_id, side, yes_price, ...book.level(yes_price) });
    book.changed.clear();
  };
  for (const market of batch.markets) {
    collect(market.id, 'bid', market.bids);
    collect(market.id, 'ask', market.asks);
  }
  await bulk.merge(
    'book_levels',
    levels,
    `when matched and r.quantity = 0 then delete
     when matched then update set quantity = r.quantity, orders = r.orders
     when not matched and r.quantity > 0 then insert (market_id, side, yes_price, quantity, orders)
       values (r.market_id, r.side, r.yes_price, r.quantity, r.orders)`,
  );
}

/** One statement for many rows, which travel as one JSON parameter; no rows, no statement. */
class BulkWriter {
  constructor(
    private readonly trx: Transaction<ReadTables>,
    private readonly schema: string,
  ) {}

  async insert(table: TableName, rows: readonly object[]): Promise<void> {
    if (rows.length === 0) return;
    const names = sql.raw(Object.keys(TABLES[table].columns).join(', '));
    await sql`insert into ${this.#table(table)} (${names}) select ${names} from ${this.#records(table, rows)}`.execute(
      this.trx,
    );
  }

  /** `t` is the row, `r` the record of the same key. @throws ProjectionFault when a record has no row. */
  async update(table: TableName, rows: readonly object[], set: string, where = 'true'): Promise<void> {
    if (rows.length === 0) return;
    const { numAffectedRows } = await sql`update ${this.#table(table)} t set ${sql.raw(set)}
      from ${this.#records(table, rows)} where ${sql.raw(keysEqual(table))} and ${sql.raw(where)}`.execute(this.trx);
    if (numAffectedRows !== BigInt(rows.length)) {
      throw new ProjectionFault(`${rows.length} rows of ${table} should change, ${numAffectedRows} were there`);
    }
  }

  async merge(table: TableName, rows: readonly object[], clauses: string): Promise<void> {
    if (rows.length === 0) return;
    await sql`merge into ${this.#table(table)} t using ${this.#records(table, rows)}
      on ${sql.raw(keysEqual(table))} ${sql.raw(clauses)}`.execute(this.trx);
  }

  #table(table: TableName): RawBuilder<unknown> {
    return sql.id(this.schema, table);
  }

  /** The rows as a table `r` of the columns that they have. */
  #records(table: TableName, rows: readonly object[]): RawBuilder<unknown> {
    const columns: Columns = TABLES[table].columns;
    const list = Object.keys(rows[0] ?? {}).map((name) => `${name} ${columns[name]?.sql ?? 'unknown'}`);
    return sql`json_to_recordset(${JSON.stringify(rows)}::json) as r(${sql.raw(list.join(', '))})`;
  }
}

function keysEqual(table: TableName): string {
  return TABLES[table].primaryKey.map((column) => `t.${column} = r.${column}`).join(' and ');
}
