import type { ReadDb } from '../models/tables.ts';
import { hasCheckpoint } from '../engine/divergence.ts';
import type { ComparedJournal } from '../engine/divergence.ts';
import { fillingSchemas, registerSchema } from '../projection/registry.ts';
import { dropSchema } from './drop.ts';

/** The suffix of a schema in which only the leaderboard's tables are filled. */
export const LEADERBOARD_SUFFIX = '_leaderboard';

export interface Filling {
  readonly schema: string;
  /** The sequence up to which the schema had been filled before. */
  readonly resumedAt: number;
}

/**
 * The schema to fill: one that a rebuild of the same kind left half-filled, else a new one. Other half-filled schemas
 * are dropped, except that of a whole rebuild while this one fills only some tables.
 */
export async function beginFilling(db: ReadDb, journal: ComparedJournal, suffix = ''): Promise<Filling> {
  let begun: Filling | null = null;
  for (const schema of await fillingSchemas(db)) {
    const isOfPart = schema.endsWith(LEADERBOARD_SUFFIX);
    if (isOfPart === (suffix !== '')) {
      const resumedAt: number | null = begun === null ? await reached(db, journal, schema) : null;
      if (resumedAt !== null) begun = { schema, resumedAt };
      else await dropSchema(db, schema, 'filling');
    } else if (isOfPart) {
      await dropSchema(db, schema, 'filling');
    }
  }
  if (begun !== null) return begun;
  const schema = await db.transaction().execute((trx) => registerSchema(trx, 'filling', { suffix }));
  return { schema, resumedAt: 0 };
}

/** The filled sequence; null if the schema is to be discarded, or belongs to another journal (restored, or wiped). */
async function reached(db: ReadDb, journal: ComparedJournal, schema: string): Promise<number | null> {
  const checkpoint = await db.withSchema(schema).selectFrom('checkpoint').selectAll().executeTakeFirstOrThrow();
  if (checkpoint.retired || !(await hasCheckpoint(journal, checkpoint))) return null;
  return checkpoint.seq;
}
