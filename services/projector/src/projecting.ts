import type { Journal } from '@paper/journal';
import { connectReadModels } from '@paper/read-models';
import type { ReadDb } from '@paper/read-models';
import { ProjectionLoop } from './projection-loop.ts';
import type { ProjectionLoopSettings } from './projection-loop.ts';

export interface ProjectingOptions extends Omit<ProjectionLoopSettings, 'db'> {
  readonly connectionString: string;
  readonly journal: Journal;
  readonly isStopping: () => boolean;
}

/** The loop of a projector, with connections of its own, which are their caller's to close. */
export function openLoop(options: ProjectingOptions): { readonly db: ReadDb; readonly loop: ProjectionLoop } {
  const db = connectReadModels({
    connectionString: options.connectionString,
    // One connection for each schema that is projected.
    maxConnections: 2,
    synchronousCommit: false,
    onBroken: (error) => {
      if (!options.isStopping()) options.retries.failed('projector: a connection was lost', error);
      loop.doubtLastCommits();
    },
  });
  const loop: ProjectionLoop = new ProjectionLoop({ ...options, db });
  return { db, loop };
}
