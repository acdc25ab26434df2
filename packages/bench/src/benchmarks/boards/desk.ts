import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import { createMemoryJournal } from '@paper/journal';
import { createQuerySide, pagesOf } from '@paper/query-api';
import {
  activeSchema,
  connectReadModels,
  prepareReadModels,
  Progress,
  ReadModels,
  type ReadDb,
} from '@paper/read-models';
import {
  createApp,
  createLogger,
  createMetrics,
  createOperators,
  findNames,
  hashKey,
  startServer,
} from '@paper/service-kit';
import { sql } from 'kysely';

/** The query side over read models that a benchmark fills directly, served on loopback. */
export interface Desk {
  readonly readModels: ReadModels;
  readonly url: string;
  /** A key with the permission `view`. */
  readonly key: string;
  /** Moves a market's probability, as a projected event would; resolves to the sequence at which it is committed. */
  change(marketId: string): Promise<number>;
  stop(): Promise<void>;
}

/** The starting balance of each account; with the usual one they are all ranked. */
export const STARTING_BALANCE_UNITS = 100_000_000;

export async function openDesk(fill: (db: ReadDb) => Promise<void>): Promise<Desk> {
  const dataDir = await mkdtemp(join(tmpdir(), 'paper-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir });
  const pool = connectReadModels({ connectionString: postgres.connectionString });
  await prepareReadModels(pool);
  await findNames(postgres.connectionString);
  const db = pool.withSchema((await activeSchema(pool)) ?? 'public');
  const key = `svc_live_${randomBytes(32).toString('base64url')}`;
  await db.insertInto('settings').values({ name: 'main', starting_balance: STARTING_BALANCE_UNITS }).execute();
  await db
    .insertInto('accounts')
    .values({
      id: 'reader',
      primary_account_id: null,
      display_name: 'Reader',
      starting_balance: 0,
      cash: 0,
      permissions: [],
      approved: true,
      created_at: 0,
      created_seq: 0,
      trades: 0,
      volume: 0,
      last_fill_minute: null,
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
      created_at: 0,
      created_seq: 0,
      revoked_at: null,
      revoked_seq: null,
    })
    .execute();
  await fill(db);
  await sql`vacuum analyze`.execute(pool);

  const readModels = new ReadModels(pool);
  const logger = createLogger({ level: 'fatal', name: 'bench' });
  const progress = new Progress();
  const journal = createMemoryJournal();
  const settings = {
    readModels,
    journal: Promise.resolve(journal),
    pages: pagesOf(Promise.resolve(journal)),
    cursorSecret: Promise.resolve(randomBytes(32)),
    freshness: { reached: () => Promise.resolve(0) },
    logger,
    progress,
    version: 'bench',
    complianceMode: 'paper' as const,
    isHealthy: () => true,
    now: Date.now,
  };
  const querySide = createQuerySide(settings);
  const app = createApp({
    routes: querySide.routes,
    operators: createOperators([]),
    logger,
    metrics: createMetrics(),
    rateLimiter: null,
  });
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  querySide.start();
  return {
    readModels,
    url: server.url,
    key,
    async change(marketId) {
      const changed = await db.transaction().execute(async (trx) => {
        await trx
          .updateTable('markets')
          .set((eb) => ({ probability_half: eb('probability_half', '+', 2) }))
          .where('id', '=', marketId)
          .execute();
        const { seq } = await trx
          .updateTable('checkpoint')
          .set((eb) => ({ seq: eb('seq', '+', 1) }))
          .returning('seq')
          .executeTakeFirstOrThrow();
        return seq;
      });
      progress.set(changed);
      return changed;
    },
    async stop() {
      await server.close(100);
      await querySide.stop();
      await pool.destroy();
      await postgres.stop();
      await rm(dataDir, { force: true, recursive: true });
    },
  };
}
