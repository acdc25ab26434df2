import { setImmediate as turn } from 'node:timers/promises';
import { EMPTY_HEAD, isLinkedTo } from '@paper/journal';
import type { Journal, StoredEvent } from '@paper/journal';
import { pause } from '@paper/timing';
import type { ReadDb } from '../models/tables.ts';
import { JournalCheck } from '../engine/journal-check.ts';
import { projectedSchemas } from './registry.ts';
import { findDivergence, JournalDiverged, retryable } from '../engine/divergence.ts';
import type { ComparedJournal } from '../engine/divergence.ts';
import { isSchemaMissing, isTransient, ProjectionFault, ProjectionFenced, SchemaRetired } from '../engine/faults.ts';
import { feed } from './feed.ts';
import type { FeedOptions, Page } from './feed.ts';
import type { Gathering } from '../engine/gathering.ts';
import { Projection } from './projection.ts';
import type { RecentChanges } from './recent-changes.ts';
import type { Checkpoint } from '../engine/checkpoint.ts';

export const BATCH_SIZE = 5000;
/** The number of events in a transaction of a fill: a row that changes repeatedly is written once per transaction. */
export const FILL_BATCH_SIZE = 200_000;
/** The memory for a fill's sort or hash. With the server's 4 MB, Postgres would join large batches on disk. */
export const FILL_WORK_MEM = '64MB';
const FILL_BEHIND = 50_000;

/** The number of events that are read at once: small, so that a page's texts are dropped soon. */
const PAGE_SIZE = 1000;

export interface ProjectorOptions {
  readonly journal: Journal;
  /** With synchronous_commit off and two connections, so that the former schema never delays the active one. */
  readonly db: ReadDb;
  readonly batchSize?: number;
  /** Collects the serving schema's events into larger batches; default: they are written when the database is free. */
  readonly gathering?: Gathering | undefined;
  /** A schema this many events behind first catches up in a fill's large transactions; default 50,000. */
  readonly fillBehind?: number | undefined;
  /** Called with the checkpoint: when the serving schema is opened, and after each transaction. */
  readonly onProgress?: FeedOptions['onProgress'];
  /** Records what each event changes in the serving schema; default: nothing is recorded. */
  readonly changes?: RecentChanges;
  /** Called with the error that ends the projection of the former schema; the active one continues. */
  readonly onFormerFault?: (error: unknown, schema: string) => void;
}

/**
 * Projects the journal into the active schema until the signal aborts, and switches when another schema becomes active.
 * Also projects into the former schema, so that it can serve again at once. The caller decides about retries.
 * @throws ProjectionFault, ProjectionFenced, and errors of the database; for the active schema only.
 */
export async function runProjector(options: ProjectorOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { active, former, stamp } = await projectedSchemas(options.db);
    if (active === null) throw new ProjectionFault('there is no active schema: prepare the read models first');
    const over = new AbortController();
    const alongside = former === null ? null : keepFormer(former, options, AbortSignal.any([signal, over.signal]));
    try {
      await followInto(active, options, signal);
    } catch (error) {
      // After a swap, the process that swapped may have moved the checkpoint too.
      const swapped = error instanceof SchemaRetired || error instanceof ProjectionFenced;
      if (!swapped || (await projectedSchemas(options.db)).stamp === stamp) throw error;
    } finally {
      over.abort();
      await alongside;
    }
  }
}

async function followInto(schema: string, options: ProjectorOptions, signal: AbortSignal): Promise<void> {
  const { journal, db, onProgress, changes } = options;
  // Checks before all markets are loaded, since a diverged journal is checked again and again until a rebuild.
  await assertOfJournal(journal, schema, (await checkpointIn(db, schema)) ?? { ...EMPTY_HEAD, atMs: 0 });
  const projection = await Projection.open(db, schema, { changes });
  await assertOfJournal(journal, schema, projection.checkpoint);
  onProgress?.(projection.checkpoint, schema);
  await projection.resumeVacuum();
  await watched(projection, journal, signal, (watchedSignal) => follow(projection, options, watchedSignal));
}

/** The checkpoint of a schema; null if there is none. */
export async function checkpointIn(db: ReadDb, schema: string): Promise<Checkpoint | null> {
  const checkpoint = db.withSchema(schema).selectFrom('checkpoint').select(['seq', 'hash', 'at_ms as atMs']);
  const row = await checkpoint.executeTakeFirst().catch((error: unknown) => {
    if (isSchemaMissing(error)) return undefined;
    throw error;
  });
  return row ?? null;
}

/** Follows while the journal has the projection's last event. @throws JournalDiverged */
async function watched(
  projection: Projection,
  journal: Journal,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { schema } = projection;
  const over = new AbortController();
  const check = new JournalCheck({
    checkpoint: () => Promise.resolve({ schema, ...projection.checkpoint }),
    journal: Promise.resolve(journal),
    onChange: (divergence) => {
      if (divergence !== null) over.abort(new JournalDiverged(divergence, projection.checkpoint));
    },
  });
  check.start();
  try {
    await work(AbortSignal.any([signal, over.signal]));
  } finally {
    check.stop();
  }
  over.signal.throwIfAborted();
}

const FORMER_RETRY_MS = 1000;

/** Projects the former schema until the signal aborts, or the schema is no longer the former one; never fails. */
async function keepFormer(schema: string, options: ProjectorOptions, signal: AbortSignal): Promise<void> {
  const isStopping = (): boolean => signal.aborted;
  while (!isStopping()) {
    try {
      const projection = await Projection.open(options.db, schema, { role: 'former' });
      await assertOfJournal(options.journal, schema, projection.checkpoint);
      await projection.resumeVacuum();
      await follow(projection, { ...options, gathering: undefined, onProgress: undefined }, signal);
    } catch (error) {
      if (error instanceof SchemaRetired || isStopping()) return;
      // The process that makes the former schema serve again also projects it up to the journal's end.
      if (!isTransient(error) && !(error instanceof ProjectionFenced)) {
        options.onFormerFault?.(error, schema);
        return;
      }
      await pause(FORMER_RETRY_MS, { signal });
    }
  }
}

async function follow(
  projection: Projection,
  { journal, batchSize = BATCH_SIZE, fillBehind = FILL_BEHIND, gathering, onProgress }: ProjectorOptions,
  signal: AbortSignal,
): Promise<void> {
  const retried = retryable(journal);
  while (!signal.aborted) {
    const { seq } = await retried.head();
    if (seq - projection.checkpoint.seq <= fillBehind) break;
    await catchUp(projection, retried, seq, { batchSize: FILL_BATCH_SIZE, onProgress, signal });
  }
  const over = new AbortController();
  const pages = livePages(journal, projection, AbortSignal.any([signal, over.signal]));
  try {
    await feed(projection, pages, { batchSize, gathering, onProgress });
  } finally {
    over.abort();
  }
}

/** Yields pages after the checkpoint. @throws JournalDiverged when a page does not follow on the one before it. */
async function* livePages(
  journal: Journal,
  { schema, checkpoint }: Projection,
  signal: AbortSignal,
): AsyncGenerator<Page, void> {
  let last: Checkpoint = checkpoint;
  for await (const events of journal.follow(checkpoint.seq + 1, { pageSize: PAGE_SIZE, signal })) {
    const [first, newest] = [events[0], events.at(-1)];
    // Checks one hash per page. A changed event whose predecessor is intact is left to the auditor.
    if (first !== undefined && !isLinkedTo(last.hash, first)) await assertOfJournal(journal, schema, last);
    if (newest !== undefined) last = { ...checkpoint, seq: newest.seq, hash: newest.hash };
    // Lets the answers to these events' commands leave first, if their writer is in this process.
    await turn();
    yield { events, moreFollow: false };
  }
}

/** @throws JournalDiverged when the journal was restored or wiped: its events do not follow from the stored rows. */
async function assertOfJournal(journal: Journal, schema: string, checkpoint: Checkpoint): Promise<void> {
  const divergence = await findDivergence(journal, schema, checkpoint);
  if (divergence !== null) throw new JournalDiverged(divergence, checkpoint);
}

export interface CatchUpOptions extends Partial<Omit<FeedOptions, 'endSeq'>> {
  readonly signal?: AbortSignal;
}

/** Projects up to `toSeq`, the end of a decision, or until the signal aborts. @throws as `feed`, and of the journal */
export async function catchUp(
  projection: Projection,
  journal: ComparedJournal,
  toSeq: number,
  { batchSize = BATCH_SIZE, signal, ...options }: CatchUpOptions = {},
): Promise<void> {
  const { seq } = projection.checkpoint;
  if (seq >= toSeq) return;
  const pages = pagesUpTo(journal, seq, toSeq, Math.min(batchSize, PAGE_SIZE), signal);
  await feed(projection, pages, { batchSize, endSeq: toSeq, ...options });
}

/** Yields the events after `seq`, up to `toSeq`. Reads the next page while one is processed. */
async function* pagesUpTo(
  journal: ComparedJournal,
  fromSeq: number,
  toSeq: number,
  pageSize: number,
  signal?: AbortSignal,
): AsyncGenerator<Page, void> {
  const readAfter = (seq: number): Promise<readonly StoredEvent[]> => {
    const page = journal.read(seq + 1, Math.min(pageSize, toSeq - seq));
    // The read's failure is handled where the page is awaited; without an await it is ignored.
    page.catch(() => undefined);
    return page;
  };
  let reading = readAfter(fromSeq);
  for (let seq = fromSeq; seq < toSeq && signal?.aborted !== true;) {
    const events = await reading;
    if (events.length === 0) throw new ProjectionFault(`the journal ends at ${seq}, before ${toSeq}`);
    seq += events.length;
    if (seq < toSeq) reading = readAfter(seq);
    yield { events, moreFollow: seq < toSeq };
  }
}
