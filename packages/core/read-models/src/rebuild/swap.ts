import { sql } from 'kysely';
import type { ReadDb } from '../models/tables.ts';
import { hasCheckpoint } from '../engine/divergence.ts';
import type { ComparedJournal } from '../engine/divergence.ts';
import { activeSchema } from '../projection/registry.ts';
import type { Filler } from './filler.ts';

/** The half-filled schema was dropped while the rebuild was running. */
export class RebuildAborted extends Error {
  override readonly name = 'RebuildAborted';
}

/**
 * Switches to a nearly full schema in one transaction, in which the projector waits and readers use the old one.
 * Returns both; `former` is null if no schema of this version served before.
 * @throws RebuildAborted when the schema has been dropped.
 */
export async function swap(db: ReadDb, journal: ComparedJournal, successor: Filler) {
  const { schema, status } = successor;
  const former = await activeSchema(db);
  const seq = await db.transaction().execute(async (trx) => {
    if (former !== null) {
      const old = trx.withSchema(former);
      const reached = await old.selectFrom('checkpoint').selectAll().forUpdate().executeTakeFirstOrThrow();
      // A checkpoint of another journal (restored, or wiped) is not a valid target.
      if (await hasCheckpoint(journal, reached)) await successor.fillTo(reached.seq);
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
