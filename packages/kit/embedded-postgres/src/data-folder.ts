import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefused } from '@paper/runtime';

export const LOCK = 'postgres.lock';

export function clusterIn(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** The folder in which a new cluster is filled, before it takes the place of `postgres`. */
export function unfinishedIn(dataDir: string): string {
  return join(dataDir, 'postgres.unfinished');
}

/** Refuses a folder where the filling of a new cluster was interrupted; removes a draft that is in its place. */
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
