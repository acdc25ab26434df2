import { randomBytes } from 'node:crypto';
import { createMemoryJournal } from '@paper/journal';
import { createQuerySide, pagesOf } from '@paper/query-api';
import type { QuerySide } from '@paper/query-api';
import { activeSchema, connectReadModels, prepareReadModels, Progress, ReadModels } from '@paper/read-models';
import type { ReadDb } from '@paper/read-models';
import {
  createApp,
  createLogger,
  createMetrics,
  createOperators,
  findNames,
  hashKey,
  startServer,
} from '@paper/service-kit';
import type { RunningServer } from '@paper/service-kit';
import { sql } from 'kysely';
import { startPostgres } from '../../index.ts';

/** The starting balance of each account. It is the usual one, so all accounts are ranked. */
export const STARTING_BALANCE_UNITS = 100_000_000;

/** The query side over read models that a benchmark fills directly, served on loopback. */
export class QueryServer {
  readonly readModels: ReadModels;
  /** A key with the permission `view`. */
  readonly key: string;
  readonly #database: BenchDatabase;
  readonly #progress: Progress;
  readonly #querySide: QuerySide;
  readonly #server: RunningServer;

  private constructor(parts: {
    readonly database: BenchDatabase;
    readonly key: string;
    readonly readModels: ReadModels;
    readonly progress: Progress;
    readonly querySide: QuerySide;
    readonly server: RunningServer;
  }) {
    this.readModels = parts.readModels;
    this.key = parts.key;
    this.#database = parts.database;
    this.#progress = parts.progress;
    this.#querySide = parts.querySide;
    this.#server = parts.server;
  }

  static async start(fill: (db: ReadDb) => Promise<void>): Promise<QueryServer> {
    const database = await openDatabase();
    const key = await addReader(database.db);
    await fill(database.db);
    await sql`vacuum analyze`.execute(database.pool);

    const readModels = new ReadModels(database.pool);
    const progress = new Progress();
    const logger = createLogger({ level: 'fatal', name: 'bench' });
    const journal = createMemoryJournal();
    const querySide = createQuerySide({
      readModels,
      journal: Promise.resolve(journal),
      pages: pagesOf(Promise.resolve(journal)),
      cursorSecret: Promise.resolve(randomBytes(32)),
      freshness: { reached: () => Promise.resolve(0) },
      logger,
      progress,
      version: 'bench',
      complianceMode: 'paper',
      isHealthy: () => true,
      now: Date.now,
    });
    const app = createApp({
      routes: querySide.routes,
      operators: createOperators([]),
      logger,
      metrics: createMetrics(),
      rateLimiter: null,
    });
    const server = await startServer(app, { host: '127.0.0.1', port: 0 });
    querySide.start();
    return new QueryServer({ database, key, readModels, progress, querySide, server });
  }

  get url(): string {
    return this.#server.url;
  }

  /** Moves a market's probability, as a projected event would; resolves to the sequence at which it is committed. */
  async change(marketId: string): Promise<number> {
    const changed = await this.#database.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('markets')
        .set((eb) => ({ probability_half_units: eb('probability_half_units', '+', 2) }))
        .where('id', '=', marketId)
        .execute();
      const { seq } = await trx
        .updateTable('checkpoint')
        .set((eb) => ({ seq: eb('seq', '+', 1) }))
        .returning('seq')
        .executeTakeFirstOrThrow();
      return seq;
    });
    this.#progress.set(changed);
    return changed;
  }

  async stop(): Promise<void> {
    await this.#server.close(100);
    await this.#querySide.stop();
    await this.#database.close();
  }
}

interface BenchDatabase {
  readonly pool: ReadDb;
  /** The pool, in the schema of the read models. */
  readonly db: ReadDb;
  /** Ends the server and removes its folder. */
  close(): Promise<void>;
}

async function openDatabase(): Promise<BenchDatabase> {
  const postgres = await startPostgres();
  const pool = connectReadModels({ connectionString: postgres.connectionString });
  await prepareReadModels(pool);
  await findNames(postgres.connectionString);
  const db = pool.withSchema((await activeSchema(pool)) ?? 'public');
  await db.insertInto('settings').values({ name: 'main', starting_balance_units: STARTING_BALANCE_UNITS }).execute();
  return {
    pool,
    db,
    async close() {
      await pool.destroy();
      await postgres.stop();
    },
  };
}

/** Adds an account with a key that may view, and returns the key. */
async function addReader(db: ReadDb): Promise<string> {
  const key = `svc_live_${randomBytes(32).toString('base64url')}`;
  await db
    .insertInto('accounts')
    .values({
      id: 'reader',
      primary_account_id: null,
      display_name: 'Reader',
      starting_balance_units: 0,
      cash_units: 0,
      permissions: [],
      approved: true,
      created_at_ms: 0,
      created_seq: 0,
      trades: 0,
      volume_units: 0,
      last_fill_minute_ms: null,
    })
    .execute();
  await db
    .insertInto('api_keys')
    .values({
      id: 'reader-key',
      account_id: 'reader',
      key_hash: hashKey(key),
      name: 'bench',
      permissions: ['view'],
      last4: key.slice(-4),
      created_at_ms: 0,
      created_seq: 0,
      revoked_at_ms: null,
      revoked_seq: null,
    })
    .execute();
  return key;
}
