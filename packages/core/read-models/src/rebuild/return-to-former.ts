import { hasCheckpoint } from '../engine/divergence.ts';
import type { ComparedJournal } from '../engine/divergence.ts';
import { checkpointIn } from '../projection/projector.ts';
import { projectedSchemas } from '../projection/registry.ts';
import { withRebuildLock } from './connections.ts';
import { RebuildRefused } from './rebuild-lock.ts';
import { Filler } from './filler.ts';
import { swap } from './swap.ts';

/**
 * Makes the former schema serve again, in one transaction; the active one becomes the former. A running projector keeps
 * the former schema at the journal's end; without one, the missing events are projected first.
 * @throws RebuildRunning, RebuildRefused, ProjectionFault, errors of the database or the journal.
 */
export async function returnToFormer(options: {
  readonly journal: ComparedJournal;
  readonly connectionString: string;
}) {
  const { journal } = options;
  return withRebuildLock(options, async ({ db, filler }) => {
    const { former } = await projectedSchemas(db);
    if (former === null) throw new RebuildRefused('there is no former schema to go back to');
    const checkpoint = await checkpointIn(db, former);
    if (checkpoint === null || !(await hasCheckpoint(journal, checkpoint))) {
      throw new RebuildRefused(`${former} is not of this journal: rebuild instead`);
    }
    const successor = new Filler(filler, journal, former, 'former');
    await successor.fillTo((await journal.head()).seq);
    return swap(db, journal, successor);
  });
}
