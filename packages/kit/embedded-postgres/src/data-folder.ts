import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefused } from '@paper/runtime';

/** The lock file of the process that uses the data folder's cluster. */
export const LOCK = 'postgres.lock';

/** The folder of the cluster. */
export function clusterIn(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** The folder in which a new cluster is filled, before it takes the place of `postgres`. */
export function unfinishedIn(dataDir: string): string {
  return join(dataDir, 'postgres.unfinished');
}

/**
 * Refuses a data folder in which the filling of a new cluster was interrupted: otherwise an empty cluster would be
 * created instead. Removes what remains of a new cluster that was already moved into the data folder.
 * @throws StartRefused
 */
export function clearUnfinished(dataDir: string): void {
  const draft = unfinishedIn(dataDir);
  if (!existsSync(draft)) return;
  if (!existsSync(clusterIn(dataDir))) {
    throw new StartRefused(
      `${dataDir} has a database whose restore was cut off. Repeat it: npm run restore -- FOLDER. ` +
        `To begin with an empty database instead, delete ${draft}.`,
    );
  }
  rmSync(draft, { recursive: true });
}
