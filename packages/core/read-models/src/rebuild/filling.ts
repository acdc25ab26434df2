import type { ReadDb } from '../models/tables.ts';
import { isOfJournal } from '../engine/divergence.ts';
import type { ComparedJournal } from '../engine/divergence.ts';
import { fillingSchemas, registerSchema } from '../projection/registry.ts';
import { dropSchema } from './drop.ts';

/** Names that only some tables are filled, for the leaderboard. */
export const LEADERBOARD_SUFFIX = '_leaderboard';

export interface Filling {
  readonly schema: string;
  /** The sequence up to which the schema was filled before. */
  readonly resumedAt: number;
}

/**
 * The schema to fill: the one that a rebuild of the same kind has left half-filled, else a new one. What else was left
 * is dropped, unless it is of a whole rebuild and this one is of a part.
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

/** The filled sequence; null where it is to be discarded, or is of another journal (restored, or wiped). */
async function reached(db: ReadDb, journal: ComparedJournal, schema: string): Promise<number | null> {
  const checkpoint = await db.withSchema(schema).selectFrom('checkpoint').selectAll().executeTakeFirstOrThrow();
  if (checkpoint.retired || !(await isOfJournal(journal, checkpoint))) return null;
  return checkpoint.seq;
}
