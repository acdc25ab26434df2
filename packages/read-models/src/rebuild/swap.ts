import type { Journal } from '@paper/journal';
import { sql } from 'kysely';
import type { ReadDb } from '../database.ts';
import { ProjectionFenced } from '../projection/faults.ts';
import { Projection, type ProjectionSettings, type Role } from '../projection/projection.ts';
import { catchUp, isOfJournal, type CatchUpOptions } from '../projection/projector.ts';
import { activeSchema, type SchemaStatus } from '../registry.ts';

/** The half-filled schema was thrown away while the rebuild was at work. */
export class RebuildAborted extends Error {
  override readonly name = 'RebuildAborted';
}

/** What is to serve, and what it is until then. */
export interface Successor {
  readonly schema: string;
  readonly status: SchemaStatus;
}

export interface Swapped {
  /** What serves now. */
  readonly schema: string;
  /** What it took over from; null where nothing of this version was served. */
  readonly former: string | null;
  readonly seq: number;
}

/**
 * Lets a schema that is nearly at the end of the journal take over, in one transaction. The live projector waits
 * meanwhile, so that what is left to fill does not grow; readers go on in the old schema until the commit.
 *
 * @param filler of connections with synchronous_commit off
 * @throws RebuildAborted where the schema has been thrown away.
 */
export async function swap(db: ReadDb, filler: ReadDb, journal: Journal, successor: Successor): Promise<Swapped> {
  const { schema, status } = successor;
  const former = await activeSchema(db);
  const seq = await db.transaction().execute(async (trx) => {
    if (former !== null) {
      const old = trx.withSchema(former);
      const reached = await old.selectFrom('checkpoint').selectAll().forUpdate().executeTakeFirstOrThrow();
      // One of another journal (restored, or wiped) says nothing about how far to go.
      if (await isOfJournal(journal, reached)) await fillTo(filler, journal, successor, reached.seq);
      await old.updateTable('checkpoint').set({ retired: true }).execute();
      await sql`update read_models.versions set status = 'former' where schema = ${former}`.execute(trx);
    }
    const promoted = await sql`
      update read_models.versions set status = 'active' where schema = ${schema} and status = ${status}`.execute(trx);
    if (promoted.numAffectedRows !== 1n) throw new RebuildAborted(`${schema} was thrown away`);
    const row = await trx
      .withSchema(schema)
      .updateTable('checkpoint')
      .set({ retired: false })
      .returning('seq')
      .executeTakeFirstOrThrow();
    return row.seq;
  });
  return { schema, former, seq };
}

/** Projects up to `target`, also beside a projector that is at work in the same schema. Gives where it is then. */
export async function fillTo(
  filler: ReadDb,
  journal: Journal,
  { schema, status }: Successor,
  target: number,
  options: CatchUpOptions & Pick<ProjectionSettings, 'tables'> = {},
): Promise<number> {
  const role: Role = status === 'former' ? 'former' : 'serving';
  const { tables } = options;
  for (;;) {
    const projection = await Projection.open(filler, schema, { role, ...(tables === undefined ? {} : { tables }) });
    try {
      await catchUp(projection, journal, target, options);
      return projection.checkpoint.seq;
    } catch (error) {
      // The projector has done a part of it.
      if (status !== 'former' || !(error instanceof ProjectionFenced)) throw error;
    }
  }
}
