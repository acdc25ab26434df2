import { retryable } from '../engine/divergence.ts';
import { createTrigramIndexes } from '../engine/trigrams.ts';
import { ALL_TABLES } from '../models/tables.ts';
import type { ReadDb } from '../models/tables.ts';
import { checkpointIn } from '../projection/projector.ts';
import { activeSchema, prepareReadModels, prepareRegistry } from '../projection/registry.ts';
import { rebuild } from './rebuild.ts';
import type { RebuildOptions } from './rebuild.ts';

/** The longest journal that a projector follows into an empty schema faster than a rebuild creates and swaps one. */
const FOLLOWED_MAX = 1_000;

/**
 * Prepares the read models of this version for a projector. If there are none, they are filled as by a rebuild (an
 * interrupted one is continued); those of a short journal serve once the projector has reached its present head.
 * @param refill rebuilds, as `rebuild` does by default: on a thread, where commands must not wait for it
 * @throws as `refill`; errors of the journal are `JournalUnreachable`
 */
export async function fillWhereEmpty(
  db: ReadDb,
  options: RebuildOptions,
  refill: (options: RebuildOptions) => Promise<unknown> = rebuild,
): Promise<void> {
  await prepareRegistry(db);
  const journal = retryable(options.journal);
  const active = await activeSchema(db);
  if (active === null) {
    const { seq } = await journal.head();
    if (seq > FOLLOWED_MAX) await refill({ ...options, journal });
    else await prepareReadModels(db, seq);
    return;
  }
  // Adds the indexes for read models of a build without trigram searches.
  await createTrigramIndexes(db, active, ALL_TABLES);
  const isEmpty = (await checkpointIn(db, active))?.seq === 0;
  if (!isEmpty) return;
  const { seq } = await journal.head();
  const checkpoint = db.withSchema(active).updateTable('checkpoint');
  await checkpoint.set({ served_from: seq }).where('seq', '=', 0).execute();
}
