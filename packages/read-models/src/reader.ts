import type { Journal } from '@paper/journal';
import { connectReadModels, type ReadDb } from './database.ts';
import { createFreshness, type Freshness } from './freshness.ts';
import type { ProgressSource, ToldProgress } from './progress.ts';
import { ReadModels } from './read-models.ts';

/** What a process needs that reads the read models. */
export interface Reader {
  readonly readModels: ReadModels;
  readonly progress: ProgressSource;
  readonly freshness: Freshness;
  /** The sequence that the read models show. @throws ApiError unavailable where there are none. */
  readonly seq: () => Promise<number>;
  readonly close: () => Promise<void>;
}

export interface ReaderOptions {
  /** Of the database that holds the read models. */
  readonly connectionString: string;
  /** May be a long time in coming: until then, only what promises to be fresh is unavailable. */
  readonly journal: Promise<Pick<Journal, 'head'>>;
  /** Of the projector, where that is in the same process; default: it is elsewhere, and the checkpoint is polled. */
  readonly told?: ToldProgress;
  readonly onIdleError: (error: Error) => void;
}

export interface ReaderConnections {
  /** Of the database that holds the read models. */
  readonly connectionString: string;
  /** Default 12 s. */
  readonly statementTimeoutMs?: number;
  readonly onIdleError: (error: Error) => void;
}

/**
 * A little more than a request may take: whoever asked has had another answer by then, and the statement must not keep
 * a connection from those who still wait.
 */
const STATEMENT_TIMEOUT_MS = 12_000;

/** A pool of connections for who only reads: statements are planned once, and cancelled when nobody waits any more. */
export function connectReader(options: ReaderConnections): ReadDb {
  return connectReadModels({ statementTimeoutMs: STATEMENT_TIMEOUT_MS, ...options, prepare: true });
}

export function createReader({ connectionString, journal, told, onIdleError }: ReaderOptions): Reader {
  const db = connectReader({ connectionString, onIdleError });
  const readModels = new ReadModels(db, told);
  const progress = told ?? readModels.polled;
  const freshness = createFreshness({ head: async () => (await journal).head() }, progress);
  return { readModels, progress, freshness, seq: () => readModels.seq(), close: () => db.destroy() };
}
