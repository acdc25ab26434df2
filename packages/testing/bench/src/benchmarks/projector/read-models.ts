import { activeSchema, connectReadModels, prepareReadModels, Projection } from '@paper/read-models';
import type { ReadDb } from '@paper/read-models';
import { sql } from 'kysely';
import { fillAccounts, fillMarkets, insertRows, marketIdSql } from '../../fixtures/read-model-rows.ts';
import { TradingExchange } from './trades.ts';
import type { Traders } from './trades.ts';

/** The rows in the read models before anything is projected; every account holds shares of ten markets. */
export interface Size {
  readonly accounts: number;
  readonly markets: number;
  readonly orders: number;
}

const MARKETS_HELD = 10;

/** Read models of a size in a database of their own, and a projection that continues from there. */
export class BenchReadModels {
  private constructor(
    private readonly db: ReadDb,
    private readonly projection: Projection,
    private readonly exchange: TradingExchange,
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
    const models = db.withSchema(schema);
    await fillMarkets(models, size.markets);
    await fillAccounts(models, size.accounts, size.markets, MARKETS_HELD);
    await fillOrders(models, size);
    const exchange = new TradingExchange(size);
    await models.updateTable('checkpoint').set({ seq: exchange.seq }).execute();
    await sql`vacuum analyze`.execute(db);
    return new BenchReadModels(db, await Projection.open(db, schema), exchange);
  }

  /** Projects more trades with this many events in a transaction. Returns the time and the number of rows written. */
  async trade(traders: Traders, count: number, batchSize: number) {
    const events = this.exchange.trade(traders, count);
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

/** Inserts filled orders, each with its taker's fill, spread over accounts and markets, as from before the journal. */
async function fillOrders(db: ReadDb, { accounts, markets, orders }: Size): Promise<void> {
  const order = {
    account_id: `'account-' || n % ${accounts}`,
    market_id: marketIdSql(`n % ${markets}`),
    side: `'buy'`,
    outcome: `'yes'`,
    price_units: '5000',
    quantity: '10',
  };
  const numbers = `generate_series(1, ${orders}) n`;
  await insertRows(
    db,
    'orders',
    {
      ...order,
      id: `'order-' || n`,
      order_type: `'limit'`,
      time_in_force: `'GTC'`,
      filled: '10',
      filled_cost_units: '50000',
      status: `'filled'`,
      created_at_ms: '0',
      created_seq: '-2 * n',
      ended_seq: '1 - 2 * n',
      post_only: 'false',
      placed_key_id: 'null',
      cancelled_key_id: 'null',
    },
    numbers,
  );
  await insertRows(
    db,
    'fills',
    {
      ...order,
      seq: '1 - 2 * n',
      role: `'taker'`,
      id: `'fill-order-' || n`,
      order_id: `'order-' || n`,
      yes_price_units: '5000',
      kind: `'mint'`,
      prob_before_half_units: '10000',
      prob_after_half_units: '10000',
      at_ms: '0',
      cash_after_units: '0',
      yes_shares_after: '0',
      no_shares_after: '0',
      yes_cost_after_units: '0',
      no_cost_after_units: '0',
    },
    numbers,
  );
}
