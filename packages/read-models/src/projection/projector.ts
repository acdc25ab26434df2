import { decode, type Journal, type JournalEvent, type StoredEvent } from '@paper/journal';
import type { ReadDb } from '../database.ts';
import { activeSchema } from '../registry.ts';
import { DecisionCutter } from './decisions.ts';
import { ProjectionFault, SchemaRetired } from './faults.ts';
import { Projection, type Checkpoint } from './projection.ts';

export const BATCH_SIZE = 5000;

export interface ProjectorOptions {
  readonly journal: Journal;
  /** With synchronous_commit off; one connection is enough. */
  readonly db: ReadDb;
  /** Events of a transaction at most, unless one decision has more. */
  readonly batchSize?: number;
  /** Told where it is: when it opens a schema, and after each transaction. */
  readonly onProgress?: (checkpoint: Checkpoint, schema: string) => void;
}

/**
 * Follows the journal into the active schema until the signal aborts, and goes over to a refilled one when that takes
 * over. It tries nothing twice: what it throws, its caller judges.
 *
 * @throws ProjectionFault, ProjectionFenced, and errors of the database.
 */
export async function runProjector(options: ProjectorOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const schema = await activeSchema(options.db);
    if (schema === null) throw new ProjectionFault('there is no active schema: prepare the read models first');
    try {
      await followInto(schema, options, signal);
    } catch (error) {
      if (!(error instanceof SchemaRetired) || (await activeSchema(options.db)) === schema) throw error;
    }
  }
}

async function followInto(schema: string, options: ProjectorOptions, signal: AbortSignal): Promise<void> {
  const { journal, db, onProgress, batchSize = BATCH_SIZE } = options;
  const projection = await Projection.open(db, schema);
  if (!(await isOfJournal(journal, projection.checkpoint))) {
    // The journal was restored or wiped: its events would be nonsense on top of what is there.
    throw new ProjectionFault(`the journal has another event at sequence ${projection.checkpoint.seq}: rebuild`);
  }
  onProgress?.(projection.checkpoint, schema);
  const cutter = new DecisionCutter(batchSize);
  for await (const page of journal.follow(projection.checkpoint.seq + 1, { pageSize: batchSize, signal })) {
    for (const batch of cutter.take(decodeAll(page))) {
      await projection.project(batch);
      onProgress?.(projection.checkpoint, schema);
      if (signal.aborted) return;
    }
  }
}

/**
 * Projects up to `toSeq`, the end of a decision, and returns.
 *
 * @throws ProjectionFault, ProjectionFenced, SchemaRetired, and errors of the database or the journal.
 */
export async function catchUp(
  projection: Projection,
  journal: Journal,
  toSeq: number,
  { batchSize = BATCH_SIZE, onProgress }: Pick<ProjectorOptions, 'batchSize' | 'onProgress'> = {},
): Promise<void> {
  const cutter = new DecisionCutter(batchSize);
  // While the database writes one batch, the next is read, decoded and folded.
  let writing: Promise<void> = Promise.resolve();
  let read = projection.checkpoint.seq;
  while (read < toSeq) {
    const page = await journal.read(read + 1, Math.min(batchSize, toSeq - read));
    if (page.length === 0) throw new ProjectionFault(`the journal ends at ${read}, before ${toSeq}`);
    read += page.length;
    for (const batch of cutter.take(decodeAll(page))) {
      const folded = projection.fold(batch);
      await writing;
      if (folded === null) continue;
      writing = projection.write(folded).then(() => onProgress?.(projection.checkpoint, projection.schema));
      // Its failure is met when it is awaited.
      writing.catch(() => undefined);
    }
  }
  await writing;
}

/** Whether the checkpoint's event is the one that this journal has at its sequence. */
export async function isOfJournal(journal: Journal, { seq, hash }: Pick<Checkpoint, 'seq' | 'hash'>): Promise<boolean> {
  if (seq === 0) return true;
  const [event] = await journal.read(seq, 1);
  return event?.hash === hash;
}

function decodeAll(page: readonly StoredEvent[]): JournalEvent[] {
  return page.map((stored) => {
    try {
      return decode(stored);
    } catch (error) {
      throw new ProjectionFault(`sequence ${stored.seq} cannot be read: ${String(error)}`, { cause: error });
    }
  });
}
