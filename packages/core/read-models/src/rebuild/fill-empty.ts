import { retryable } from '../engine/divergence.ts';
import { createTrigramIndexes } from '../engine/trigrams.ts';
import { ALL_TABLES } from '../models/tables.ts';
import type { ReadDb } from '../models/tables.ts';
import { checkpointIn } from '../projection/projector.ts';
import { activeSchema, prepareReadModels, prepareRegistry } from '../projection/registry.ts';
import { rebuild } from './rebuild.ts';
import type { RebuildOptions } from './rebuild.ts';

/** A journal up to this length is followed into an empty schema sooner than a rebuild makes and swaps one. */
const FOLLOWED_MAX = 1_000;

/**
 * Prepares the read models of this version for a projector. Where there are none, they are filled as a rebuild fills
 * them, and serve from its end on; those of a new exchange serve once the projector has reached the journal's present
 * head. A fill that was cut off is continued.
 *
 * @throws RebuildRunning, RebuildAborted, and as `rebuild`; errors of the journal are `JournalUnreachable`.
 */
export async function fillWhereEmpty(db: ReadDb, options: RebuildOptions): Promise<void> {
  await prepareRegistry(db);
  const journal = retryable(options.journal);
  const active = await activeSchema(db);
  if (active === null) {
    const { seq } = await journal.head();
    if (seq > FOLLOWED_MAX) await rebuild({ ...options, journal });
    else await prepareReadModels(db, seq);
    return;
  }
  // Those of a build that searched without.
  await createTrigramIndexes(db, active, ALL_TABLES);
  const isEmpty = (await checkpointIn(db, active))?.seq === 0;
  if (!isEmpty) return;
  const { seq } = await journal.head();
  const checkpoint = db.withSchema(active).updateTable('checkpoint');
  await checkpoint.set({ served_from: seq }).where('seq', '=', 0).execute();
}
