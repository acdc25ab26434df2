import { setTimeout as sleep } from 'node:timers/promises';
import type { Journal, StoredEvent } from '@paper/journal';
import type { ReadDb } from '../database.ts';
import { projectedSchemas } from '../registry.ts';
import { isPassing, JournalAway, ProjectionFault, ProjectionFenced, SchemaRetired } from './faults.ts';
import { feed, type FeedOptions, type Page } from './feed.ts';
import { Projection, type Checkpoint } from './projection.ts';

export const BATCH_SIZE = 5000;

/** Events that are read at once: a page's texts are dropped before they grow old. */
const PAGE_SIZE = 1000;

export interface ProjectorOptions {
  readonly journal: Journal;
  /** With synchronous_commit off. Two connections, so that the former schema never holds up the one that serves. */
  readonly db: ReadDb;
  /** Events of a transaction at most, unless one decision has more. */
  readonly batchSize?: number;
  /** Told where it is: when it opens the schema that serves, and after each transaction. */
  readonly onProgress?: (checkpoint: Checkpoint, schema: string) => void;
  /** Why the former schema is projected no further; what serves goes on. */
  readonly onFormerFault?: (error: unknown, schema: string) => void;
}

/**
 * Follows the journal into the active schema until the signal aborts, and goes over to another when that takes over.
 * Follows it into the former one as well, so that it can serve again at once. It tries nothing twice: what it throws,
 * its caller judges.
 *
 * @throws ProjectionFault, ProjectionFenced, and errors of the database, all of the active schema alone.
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
      // By a swap, the checkpoint may also have been moved by the process that swapped.
      const swapped = error instanceof SchemaRetired || error instanceof ProjectionFenced;
      if (!swapped || (await projectedSchemas(options.db)).stamp === stamp) throw error;
    } finally {
      over.abort();
      await alongside;
    }
  }
}

async function followInto(schema: string, options: ProjectorOptions, signal: AbortSignal): Promise<void> {
  const { journal, db, onProgress } = options;
  const projection = await Projection.open(db, schema);
  await checkOfJournal(journal, projection);
  onProgress?.(projection.checkpoint, schema);
  await follow(projection, { ...options, onProgress }, signal);
}

const FORMER_RETRY_MS = 1000;

/** Ends when the signal aborts, or the schema is no longer the former one; never fails. */
async function keepFormer(schema: string, options: ProjectorOptions, signal: AbortSignal): Promise<void> {
  const isStopping = (): boolean => signal.aborted;
  while (!isStopping()) {
    try {
      const projection = await Projection.open(options.db, schema, { role: 'former' });
      await checkOfJournal(options.journal, projection);
      await follow(projection, { ...options, onProgress: undefined }, signal);
    } catch (error) {
      if (error instanceof SchemaRetired || isStopping()) return;
      // Who lets it serve again brings it to the end of the journal, too.
      if (!isPassing(error) && !(error instanceof ProjectionFenced)) {
        options.onFormerFault?.(error, schema);
        return;
      }
      await sleep(FORMER_RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

interface Following extends Pick<ProjectorOptions, 'journal' | 'batchSize'> {
  readonly onProgress: ProjectorOptions['onProgress'];
}

async function follow(
  projection: Projection,
  { journal, batchSize = BATCH_SIZE, onProgress }: Following,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const pages = livePages(journal, projection.checkpoint.seq + 1, AbortSignal.any([signal, over.signal]));
  try {
    await feed(projection, pages, { batchSize, onProgress });
  } finally {
    over.abort();
  }
}

async function* livePages(journal: Journal, fromSeq: number, signal: AbortSignal): AsyncGenerator<Page, void> {
  for await (const events of journal.follow(fromSeq, { pageSize: PAGE_SIZE, signal }))
    yield { events, moreFollow: false };
}

/** @throws ProjectionFault where the journal was restored or wiped: its events would be nonsense on top of what is there. */
async function checkOfJournal(journal: Journal, { checkpoint, schema }: Projection): Promise<void> {
  if (await isOfJournal(journal, checkpoint)) return;
  throw new ProjectionFault(`the journal has another event at sequence ${checkpoint.seq} than ${schema}: rebuild`);
}

export type CatchUpOptions = Partial<Omit<FeedOptions, 'endSeq'>>;

/**
 * Projects up to `toSeq`, the end of a decision, and returns.
 *
 * @throws ProjectionFault, ProjectionFenced, SchemaRetired, and errors of the database or the journal.
 */
export async function catchUp(
  projection: Projection,
  journal: Journal,
  toSeq: number,
  { batchSize = BATCH_SIZE, ...options }: CatchUpOptions = {},
): Promise<void> {
  const { seq } = projection.checkpoint;
  if (seq >= toSeq) return;
  const pages = pagesUpTo(journal, seq, toSeq, Math.min(batchSize, PAGE_SIZE));
  await feed(projection, pages, { batchSize, endSeq: toSeq, ...options });
}

/** What follows `fromSeq`, up to `toSeq`; the next page is read while one is worked on. */
async function* pagesUpTo(
  journal: Journal,
  fromSeq: number,
  toSeq: number,
  pageSize: number,
): AsyncGenerator<Page, void> {
  const readAfter = (seq: number): Promise<readonly StoredEvent[]> => {
    const page = journal.read(seq + 1, Math.min(pageSize, toSeq - seq));
    // Its failure is met when it is awaited; when nobody comes to that, it is nobody's.
    page.catch(() => undefined);
    return page;
  };
  let reading = readAfter(fromSeq);
  for (let seq = fromSeq; seq < toSeq;) {
    const events = await reading;
    if (events.length === 0) throw new ProjectionFault(`the journal ends at ${seq}, before ${toSeq}`);
    seq += events.length;
    if (seq < toSeq) reading = readAfter(seq);
    yield { events, moreFollow: seq < toSeq };
  }
}

/** Whether the checkpoint's event is the one that this journal has at its sequence. @throws JournalAway */
export async function isOfJournal(journal: Journal, { seq, hash }: Pick<Checkpoint, 'seq' | 'hash'>): Promise<boolean> {
  if (seq === 0) return true;
  // The head is asked for first: only of a server that leads does a journal know it, and only that one shows all it has.
  const asked = journal.head().then(() => journal.read(seq, 1));
  const [event] = await asked.catch((error: unknown) => {
    throw new JournalAway(`the journal does not answer: ${String(error)}`, { cause: error });
  });
  return event?.hash === hash;
}
