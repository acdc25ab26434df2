import { createState, decide, evolve, type Command } from '@paper/exchange';
import { createMemoryJournal, createMemoryLog, EMPTY_HEAD, encodeDecision, type MemoryLog } from '@paper/journal';
import {
  connectReadModels,
  createFreshness,
  prepareReadModels,
  Progress,
  ReadModels,
  runProjector,
} from '@paper/read-models';
import { createApp, createLogger, createMetrics, createOperators, hashKey, startServer } from '@paper/service-kit';
import { createCheckedClient, testDatabase, type CheckedClient } from '@paper/testkit';
import { createQuerySide } from '../src/index.ts';
import type { ReadableJournal } from '../src/journal/journal-reads.ts';

/** The query side behind HTTP over real read models, of a journal in memory that commands are decided into. */
export interface ReadDesk {
  readonly url: string;
  readonly client: CheckedClient;
  readonly log: MemoryLog;
  /** Decides the commands one after the other, and appends what was decided; a refusal is nothing. */
  readonly submit: (...commands: readonly Command[]) => Promise<void>;
  /** Resolves when the read models show all of it. */
  readonly projected: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The key whose hash a command names, as the client sends it. */
export const rawKey = (name: string): string => `svc_live_${name}`;
export const keyHash = (name: string): string => hashKey(rawKey(name));

export interface ReadDeskOptions {
  /** What the query side reads; default: the journal that is written. */
  readonly journal?: (inner: ReadableJournal) => Promise<ReadableJournal>;
}

export async function readDesk(options: ReadDeskOptions = {}): Promise<ReadDesk> {
  const log = createMemoryLog();
  const journal = createMemoryJournal(log);
  const state = createState();
  let head = EMPTY_HEAD;
  const progress = new Progress();
  const stopping = new AbortController();
  const database = await testDatabase();
  const db = connectReadModels({ connectionString: database.connectionString });
  await prepareReadModels(db);
  const projecting = runProjector({ journal, db, onProgress: ({ seq }) => progress.set(seq) }, stopping.signal);
  const logger = createLogger({ name: 'test', level: 'silent' });
  const { routes } = createQuerySide({
    readModels: new ReadModels(db),
    journal: options.journal?.(journal) ?? Promise.resolve(journal),
    freshness: createFreshness(journal, progress),
    progress,
    logger,
    version: 'test',
    complianceMode: 'paper',
    well: () => true,
    now: Date.now,
  });
  const app = createApp({
    routes,
    operators: createOperators([]),
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
    async submit(...commands) {
      for (const command of commands) {
        const decision = decide(state, command);
        if (decision.kind !== 'accepted') continue;
        const encoded = encodeDecision({ command, events: decision.events, head, salt: 'ab'.repeat(16) });
        await journal.append(head, encoded.stored);
        for (const [index, event] of decision.events.entries()) evolve(state, event, index === 0 ? command : null);
        head = encoded.head;
      }
    },
    async projected() {
      if (!(await progress.reached(head.seq, 10_000))) throw new Error('the read models do not come');
    },
    async close() {
      await server.close(0);
      stopping.abort();
      await projecting;
      await db.destroy();
      await database.close();
    },
  };
}
