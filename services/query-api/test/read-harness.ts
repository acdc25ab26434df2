import type { Command } from '@paper/exchange/commands';
import { createMemoryJournal, createMemoryLog } from '@paper/journal';
import type { MemoryLog } from '@paper/journal';
import {
  activeSchema,
  connectReadModels,
  createReader,
  prepareReadModels,
  Progress,
  runProjector,
} from '@paper/read-models';
import { createApp, createOperators, hashKey, startServer } from '@paper/http';
import type { Route } from '@paper/http';
import { ensureNameTables } from '@paper/names';
import { createLogger, createMetrics } from '@paper/runtime';
import { testDatabase, StoredExchange } from '@paper/testkit';
import { createCheckedClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';
import { sql } from 'kysely';
import { createQuerySide, EmailConfigured } from '../src/index.ts';
import { pagesOf } from '../src/journal/page-bytes.ts';
import type { ReadableJournal } from '../src/journal/page-bytes.ts';

/**
 * The query side behind HTTP, over real read models of a journal in memory. A test appends to it by submitting
 * commands.
 */
export interface ReadHarness {
  readonly url: string;
  readonly client: CheckedClient;
  readonly log: MemoryLog;
  readonly routes: readonly Route[];
  /** The projector's progress. */
  readonly progress: Progress;
  /** Decides the commands in order, and appends their events; a refused command appends nothing. */
  readonly submit: (...commands: readonly Command[]) => Promise<void>;
  /** Resolves when the read models contain all of the journal. */
  readonly projected: () => Promise<void>;
  /** Runs the work while the projection is paused. */
  readonly heldUp: (work: () => Promise<void>) => Promise<void>;
  readonly connectionString: string;
  readonly close: () => Promise<void>;
}

/** The key whose hash a command names, as the client sends it. */
export const rawKey = (name: string): string => `svc_live_${name}`;
export const OPERATOR_TOKEN = 'operator-token-of-tests';
export const keyHash = (name: string): string => hashKey(rawKey(name));

export interface ReadHarnessOptions {
  /** Wraps the journal that the query side reads; default: the journal itself. */
  readonly journal?: (inner: ReadableJournal) => Promise<ReadableJournal>;
  /** As in a separate service: progress is read from the checkpoint, and not reported by the projector. */
  readonly polls?: boolean;
  /** The clock, which time windows end with; default: the present. */
  readonly now?: () => number;
}

export async function readHarness(options: ReadHarnessOptions = {}): Promise<ReadHarness> {
  const log = createMemoryLog();
  const journal = createMemoryJournal(log);
  const exchange = new StoredExchange(journal);
  const progress = new Progress();
  const stopping = new AbortController();
  const database = await testDatabase();
  const db = connectReadModels({ connectionString: database.connectionString });
  await prepareReadModels(db);
  await ensureNameTables(database.connectionString);
  const projecting = runProjector(
    { journal, db, onProgress: ({ seq }) => progress.set(seq), changes: progress.changes },
    stopping.signal,
  );
  const reader = createReader({
    connectionString: database.connectionString,
    journal: Promise.resolve(journal),
    ...(options.polls === true ? {} : { localProgress: progress }),
    onIdleError: () => undefined,
  });
  const logger = createLogger({ name: 'test', level: 'silent' });
  const readable = options.journal?.(journal) ?? Promise.resolve(journal);
  const { routes } = createQuerySide({
    ...reader,
    journal: readable,
    pages: pagesOf(readable),
    cursorSecret: Promise.resolve(Buffer.alloc(32, 'cursors')),
    logger,
    version: 'test',
    complianceMode: 'paper',
    isHealthy: () => true,
    isEmailConfigured: new EmailConfigured(database.connectionString).get,
    now: options.now ?? Date.now,
  });
  const app = createApp({
    routes,
    operators: createOperators([{ name: 'ops', token: OPERATOR_TOKEN }]),
    logger,
    metrics: createMetrics(),
    rateLimiter: null,
    validateAnswers: true,
  });
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  return {
    url: server.url,
    client: await createCheckedClient(server.url),
    log,
    routes,
    progress,
    connectionString: database.connectionString,
    async submit(...commands) {
      for (const command of commands) {
        await exchange.submit(command);
      }
    },
    async projected() {
      if (!(await progress.reached(exchange.head.seq, 10_000))) throw new Error('the read models do not come');
    },
    async heldUp(work) {
      const schema = (await activeSchema(db)) ?? '';
      await db.transaction().execute(async (trx) => {
        await sql`lock table ${sql.id(schema, 'checkpoint')} in exclusive mode`.execute(trx);
        await work();
      });
    },
    async close() {
      await server.close(0);
      stopping.abort();
      await projecting;
      await reader.close();
      await db.destroy();
      await database.close();
    },
  };
}
