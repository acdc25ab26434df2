import { sql } from 'kysely';
import { createIndexes, createKeys } from '../engine/create-schema.ts';
import type { ReadDb } from '../models/tables.ts';
import type { ComparedJournal } from '../engine/divergence.ts';
import { checkInvariants, InvariantBroken } from './invariants.ts';
import { isSchemaMissing, SchemaRetired } from '../engine/faults.ts';
import { ALL_TABLES } from '../models/tables.ts';
import { withRebuildLock } from './connections.ts';
import { dropSchema, SchemaInUse } from './drop.ts';
import { Filler } from './filler.ts';
import { finishTables } from './finish-tables.ts';
import { beginFilling } from './filling.ts';
import { createPace } from './pace.ts';
import { FILL_BATCH_SIZE } from '../projection/projector.ts';
import { RebuildAborted, swap } from './swap.ts';

/** The phases of a rebuild: fold events, build indexes, check the sums, swap. */
type RebuildPhase = 'filling' | 'indexing' | 'checking' | 'swapping';

export interface RebuildProgress {
  readonly phase: RebuildPhase;
  readonly seq: number;
  readonly target: number;
}

export interface RebuildOptions {
  readonly journal: ComparedJournal;
  readonly connectionString: string;
  /** The most events of a transaction; default 200,000, since a row that changes repeatedly is written once in each. */
  readonly batchSize?: number;
  /** The most events a second, in small transactions, to spare readers; default: no limit. */
  readonly eventsPerSecond?: number;
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Ends the rebuild at once, in any phase, with an error. The next rebuild continues from there. */
  readonly signal?: AbortSignal;
}

/** The tables that are finished at once: Postgres uses several processors for indexes, but one for `vacuum`. */
export const TABLES_AT_ONCE = 2;

/**
 * Refills the read models from the journal: fills a new schema, or resumes an interrupted rebuild, while the old schema
 * serves, checks its sums, and makes it active in one transaction. Projector and readers switch by themselves. The old
 * schema is still projected, so that `returnToFormer` can let it serve again at once; the former one before it is
 * dropped. A failure before the swap leaves the old schema unchanged. `resumedAt`: the sequence up to which an
 * interrupted rebuild had filled the new schema, else 0.
 * @throws RebuildRunning, RebuildAborted, ProjectionFault, InvariantBroken, errors of the database or the journal.
 */
export async function rebuild(options: RebuildOptions) {
  return withRebuildLock(options, async ({ db, session, filler }) => {
    const { schema, resumedAt } = await beginFilling(db, options.journal);
    const filling = new Filler(filler, options.journal, schema, 'filling');
    try {
      await fill(db, session, filling, resumedAt, options);
      const swapped = await swap(db, options.journal, filling);
      await dropOlder(db, swapped.former);
      return { ...swapped, resumedAt };
    } catch (error) {
      // A wrong fold must not be continued, so its schema is dropped.
      if (error instanceof InvariantBroken) await dropSchema(db, schema, 'filling');
      if (error instanceof SchemaRetired || isSchemaMissing(error)) {
        throw new RebuildAborted(`${schema} was thrown away`, { cause: error });
      }
      throw error;
    }
  });
}

/** Does all work before the swap. Only events that arrive during its last step are left for the swap. */
async function fill(
  db: ReadDb,
  session: ReadDb,
  filling: Filler,
  resumedAt: number,
  options: RebuildOptions,
): Promise<void> {
  const { journal, onProgress, eventsPerSecond } = options;
  const { schema } = filling;
  let seq = resumedAt;
  let target = seq;
  const report = (phase: RebuildPhase): void => onProgress?.({ phase, seq, target });
  const pace = eventsPerSecond === undefined ? null : createPace(eventsPerSecond);
  const reportFilled = (filledSeq: number): void => {
    seq = filledSeq;
    report('filling');
  };
  const fillToEnd = async (): Promise<void> => {
    target = (await journal.head()).seq;
    report('filling');
    seq = await filling.fillTo(target, {
      batchSize: options.batchSize ?? FILL_BATCH_SIZE,
      ...pace,
      onProgress: (checkpoint) => reportFilled(checkpoint.seq),
      onPart: reportFilled,
    });
  };
  // Building the indexes at the end would cost less in all, but would load the database at one moment.
  if (pace !== null) {
    await createIndexes(session, schema, ALL_TABLES);
    await sql`set max_parallel_workers_per_gather = 0`.execute(session);
  } else if (resumedAt > 0) {
    await createKeys(session, schema, ALL_TABLES);
  }
  await fillToEnd();
  report('indexing');
  await finishTables(db, schema, pace === null ? TABLES_AT_ONCE : 1);
  await fillToEnd();
  report('checking');
  await checkInvariants(session, schema);
  await fillToEnd();
  report('swapping');
}

/** Drops the schema before the former one, since only one step back is possible. One in use is left to `--retire`. */
async function dropOlder(db: ReadDb, former: string | null): Promise<void> {
  if (former === null) return;
  const { rows } = await sql<{ schema: string }>`
    select f.schema from read_models.versions f join read_models.versions kept on kept.version = f.version
    where kept.schema = ${former} and f.status = 'former' and f.schema <> ${former}`.execute(db);
  for (const { schema } of rows) {
    await dropSchema(db, schema, 'former').catch((error: unknown) => {
      if (!(error instanceof SchemaInUse)) throw error;
    });
  }
}
