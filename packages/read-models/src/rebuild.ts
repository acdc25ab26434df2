import type { Journal } from '@paper/journal';
import { sql } from 'kysely';
import { createIndexes } from './create-schema.ts';
import { connectReadModels, type ReadDb } from './database.ts';
import { checkInvariants } from './invariants.ts';
import { isPassing } from './projection/faults.ts';
import { Projection, type Checkpoint } from './projection/projection.ts';
import { catchUp, isOfJournal } from './projection/projector.ts';
import { activeSchema, prepareReadModels, PROJECTION_VERSION, registerSchema } from './registry.ts';

export interface RebuildOptions {
  readonly journal: Journal;
  readonly connectionString: string;
  readonly batchSize?: number;
  /** `target`: the end of the journal when the fill began. */
  readonly onProgress?: (checkpoint: Checkpoint, target: number) => void;
}

export interface Rebuilt {
  readonly schema: string;
  /** What it took over from. */
  readonly former: string | null;
  readonly seq: number;
}

/** Another rebuild is at work on this database. */
export class RebuildRunning extends Error {
  override readonly name = 'RebuildRunning';
}

/**
 * Refills the read models from the journal: fills a new schema from sequence 0 while the old one serves, checks that
 * its sums hold, makes it the active one in one transaction, drops the old one. A projector at work goes over to the
 * new schema by itself, and so do readers. What fails before the swap leaves the old schema as it was.
 *
 * @throws RebuildRunning, ProjectionFault, InvariantBroken, errors of the database or the journal.
 */
export async function rebuild(options: RebuildOptions): Promise<Rebuilt> {
  const db = connectReadModels({ connectionString: options.connectionString, maxConnections: 4 });
  const filler = connectReadModels({
    connectionString: options.connectionString,
    maxConnections: 1,
    synchronousCommit: false,
  });
  try {
    await prepareReadModels(db);
    return await db.connection().execute(async (session) => {
      // Held by this connection, so it ends with this process.
      const { rows } = await sql<{ free: boolean }>`
        select pg_try_advisory_lock(hashtext('paper read models rebuild')) as free`.execute(session);
      if (rows[0]?.free !== true) throw new RebuildRunning('another rebuild is at work on this database');
      await dropUnused(db);
      return await fillAndSwap(db, filler, options);
    });
  } finally {
    await filler.destroy();
    await db.destroy();
  }
}

async function fillAndSwap(db: ReadDb, filler: ReadDb, options: RebuildOptions): Promise<Rebuilt> {
  const { journal, batchSize, onProgress } = options;
  const schema = await db.transaction().execute((trx) => registerSchema(trx, 'filling'));
  const projection = await Projection.open(filler, schema);
  const fillTo = async (target: number): Promise<void> =>
    catchUp(projection, journal, target, {
      ...(batchSize === undefined ? {} : { batchSize }),
      onProgress: (checkpoint) => onProgress?.(checkpoint, target),
    });
  await fillTo((await journal.head()).seq);
  await createIndexes(db, schema);
  // What came meanwhile, so that little is left for the swap, during which the live projector waits.
  await fillTo((await journal.head()).seq);
  const former = await activeSchema(db);
  await db.transaction().execute(async (trx) => {
    if (former !== null) {
      const old = trx.withSchema(former);
      // The live projector waits for this lock, so what is left to fill does not grow any more.
      const reached = await old.selectFrom('checkpoint').selectAll().forUpdate().executeTakeFirstOrThrow();
      // One of another journal (restored, or wiped) says nothing about how far to go.
      if (await isOfJournal(journal, reached)) await fillTo(reached.seq);
      await old.updateTable('checkpoint').set({ retired: true }).execute();
      await sql`update read_models.versions set status = 'former' where schema = ${former}`.execute(trx);
    }
    await checkInvariants(filler, schema);
    await sql`update read_models.versions set status = 'active' where schema = ${schema}`.execute(trx);
  });
  await dropUnused(db);
  return { schema, former, seq: projection.checkpoint.seq };
}

const DROP_ATTEMPTS = 20;

/** Drops what a swap or an older version has left, and what a rebuild that was cut off had begun. */
async function dropUnused(db: ReadDb): Promise<void> {
  const { rows } = await sql<{ schema: string }>`
    select schema from read_models.versions where status <> 'active' or version < ${PROJECTION_VERSION}`.execute(db);
  for (const { schema } of rows) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await db.transaction().execute(async (trx) => {
          // Readers that are still in it go first: behind a lock that waits, all later ones would queue.
          await sql`set local lock_timeout = '250ms'`.execute(trx);
          await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(trx);
          await sql`delete from read_models.versions where schema = ${schema}`.execute(trx);
        });
        break;
      } catch (error) {
        const locked = (error as { code?: unknown }).code === '55P03' || isPassing(error);
        if (!locked || attempt === DROP_ATTEMPTS) throw error;
      }
    }
  }
}
