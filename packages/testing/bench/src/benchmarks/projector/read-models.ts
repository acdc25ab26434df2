import { activeSchema, connectReadModels, prepareReadModels, Projection } from '@paper/read-models';
import type { ReadDb } from '@paper/read-models';
import { sql } from 'kysely';
import { fillAccounts, fillMarkets } from '../boards/fill.ts';
import { trades } from './trades.ts';
import type { Traders } from './trades.ts';

/** Rows in the read models before anything is projected; every account holds shares of ten markets. */
export interface Size {
  readonly accounts: number;
  readonly markets: number;
  readonly orders: number;
}

const MARKETS_HELD = 10;

/** Read models of a size in a database of their own, and a projection that continues from there. */
export class BenchReadModels {
  #traded = 0;

  private constructor(
    private readonly db: ReadDb,
    private readonly projection: Projection,
  ) {}

  static async fill(server: string, name: string, size: Size): Promise<BenchReadModels> {
    const admin = connectReadModels({ connectionString: server, maxConnections: 1 });
    await sql`create database ${sql.id(name)}`.execute(admin);
    await admin.destroy();
    const url = new URL(server);
    url.pathname = `/${name}`;
    // The connection has the projector's settings.
    const db = connectReadModels({ connectionString: url.href, maxConnections: 1, synchronousCommit: false });
    await prepareReadModels(db);
    const schema = (await activeSchema(db)) ?? '';
    await fillMarkets(db.withSchema(schema), size.markets);
    await fillAccounts(db.withSchema(schema), size.accounts, size.markets / MARKETS_HELD);
    await fillOrders(db, schema, size);
    await sql`vacuum analyze`.execute(db);
    return new BenchReadModels(db, await Projection.open(db, schema));
  }

  /**
   * Projects further trades with this many events in a transaction. Gives the milliseconds and the number of rows
   * written.
   */
  async trade(
    traders: Traders,
    count: number,
    batchSize: number,
  ): Promise<{ readonly ms: number; readonly rows: number }> {
    const events = trades(traders, this.#traded, count);
    this.#traded += count;
    const rowsBefore = await this.#rowsWritten();
    const begunMs = performance.now();
    for (let first = 0; first < events.length; first += batchSize) {
      await this.projection.project(events.slice(first, first + batchSize));
    }
    const ms = performance.now() - begunMs;
    return { ms, rows: (await this.#rowsWritten()) - rowsBefore };
  }

  close(): Promise<void> {
    return this.db.destroy();
  }

  /** Rows inserted, updated or deleted so far, as Postgres counts them. */
  async #rowsWritten(): Promise<number> {
    await sql`select pg_stat_force_next_flush()`.execute(this.db);
    const { rows } = await sql<{ written: number }>`
      select sum(n_tup_ins + n_tup_upd + n_tup_del)::int8 as written from pg_stat_user_tables
      where schemaname = ${this.projection.schema}`.execute(this.db);
    return rows[0]?.written ?? 0;
  }
}

/** Filled orders, each with its taker's fill, of accounts and markets in turn, from before the journal. */
async function fillOrders(db: ReadDb, schema: string, { accounts, markets, orders }: Size): Promise<void> {
  await sql`insert into ${sql.id(schema, 'orders')} (id, market_id, account_id, side, outcome, order_type,
      time_in_force, price_units, quantity, filled, filled_cost_units, status, created_at_ms, created_seq, ended_seq)
    select 'order-' || n, 'market-' || lpad((n % ${markets})::text, 5, '0'), 'account-' || n % ${accounts}, 'buy', 'yes',
      'limit', 'GTC', 5000, 10, 10, 50000, 'filled', 0, -2 * n, 1 - 2 * n
    from generate_series(1, ${orders}::int) n`.execute(db);
  await sql`insert into ${sql.id(schema, 'fills')}
    select ended_seq, 'taker', 'fill-' || id, account_id, id, market_id, side, outcome, price_units, price_units, quantity,
      'mint', 10000, 10000, created_at_ms, 0, 0, 0, 0, 0
    from ${sql.id(schema, 'orders')}`.execute(db);
}
