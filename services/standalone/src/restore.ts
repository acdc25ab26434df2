import { restoreBackup } from '@paper/backup';
import type { Restored, RestoreOptions } from '@paper/backup';
import { prepareTables } from './prepare-tables.ts';

/** Restores a backup into an empty database, with the tables of every service. Throws BackupError. */
export function restoreInto(options: Omit<RestoreOptions, 'prepare'>): Promise<Restored> {
  return restoreBackup({ ...options, prepare: (pool) => prepareTables(pool, options.eventStore === null) });
}
