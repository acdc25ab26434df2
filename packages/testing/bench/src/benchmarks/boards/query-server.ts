import { randomBytes } from 'node:crypto';
import { createMemoryJournal } from '@paper/journal';
import { createQuerySide, pagesOf } from '@paper/query-api';
import { activeSchema, connectReadModels, prepareReadModels, Progress, ReadModels } from '@paper/read-models';
import type { ReadDb } from '@paper/read-models';
import { createApp, createOperators, hashKey, startServer } from '@paper/http';
import { findNames } from '@paper/names';
import { createLogger, createMetrics } from '@paper/runtime';
import { sql } from 'kysely';
import { startPostgres } from '../../index.ts';
import { STARTING_BALANCE_UNITS } from './fill.ts';

/** The query side over read models that a benchmark fills directly, served on loopback. */
export type QueryServer = Awaited<ReturnType<typeof startQueryServer>>;

/** Starts one over an empty database that `fill` has filled. */
export async function startQueryServer(fill: (db: ReadDb) => Promise<void>) {
  const postgres = await startPostgres();
  const pool = connectReadModels({ connectionString: postgres.connectionString });
  await prepareReadModels(pool);
  await findNames(postgres.connectionString);
  const db = pool.withSchema((await activeSchema(pool)) ?? 'public');
  await db
    .insertInto('settings')
    .values({ name: 'main', starting_balance_units: STARTING_BALANCE_UNITS, compliance_mode: 'paper' })
    .execute();
  const key = await addReader(db);
  await fill(db);
  await sql`vacuum analyze`.execute(pool);

  const readModels = new ReadModels(pool);
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
    isEmailConfigured: () => Promise.resolve(false),
    now: Date.now,
  });
  const { routes } = querySide;
  const metrics = createMetrics();
  const app = createApp({ routes, operators: createOperators([]), logger, metrics, rateLimiter: null });
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  querySide.start();
  return {
    url: server.url,
    readModels,
    /** A key with the permission `view`. */
    key,
    /** Moves a market's probability, as a projected event would; resolves to the sequence at which it is committed. */
    async change(marketId: string): Promise<number> {
      const changed = await moveProbability(db, marketId);
      progress.set(changed);
      return changed;
    },
    async stop(): Promise<void> {
      await server.close(100);
      await querySide.stop();
      await pool.destroy();
      await postgres.stop();
    },
  };
}

function moveProbability(db: ReadDb, marketId: string): Promise<number> {
  return db.transaction().execute(async (trx) => {
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
}

/** Adds an account with a key that may view, and returns the key. */
async function addReader(db: ReadDb): Promise<string> {
  const key = `svc_live_${randomBytes(32).toString('base64url')}`;
  await db
    .insertInto('accounts')
    .values({
      id: 'reader',
      display_name: 'Reader',
      starting_balance_units: 0,
      cash_units: 0,
      permissions: [],
      approved: true,
      created_at_ms: 0,
      created_seq: 0,
      trades: 0,
      volume_units: 0,
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
      spent_day: 0,
      spent_units: 0,
    })
    .execute();
  return key;
}
