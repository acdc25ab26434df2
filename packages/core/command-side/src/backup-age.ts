import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Metrics } from '@paper/runtime';

/** A backup's folder is named by the time at which the backup began, and appears when the backup is complete. */
const BACKUP = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)$/;

/** Exposes the age of the newest backup in BACKUP_DIR, for an alert. */
export function observeBackups(metrics: Metrics, folder: string): void {
  metrics.gauge('backup_newest_timestamp_seconds', 'Time of the newest backup in BACKUP_DIR; 0: there is none', {
    collect: (gauge) => gauge.set(newestBackupMs(folder) / 1000),
  });
}

/** The time of the newest finished backup in ms since 1970 UTC; 0 when there is no backup or no folder. */
export function newestBackupMs(folder: string): number {
  if (!existsSync(folder)) return 0;
  const times = readdirSync(folder).flatMap((name) => {
    const [, hour, minute, second] = BACKUP.exec(name) ?? [];
    if (hour === undefined || !existsSync(path.join(folder, name, 'manifest.json'))) return [];
    return [Date.parse(`${hour}:${minute}:${second}`)];
  });
  return Math.max(0, ...times.filter(Number.isFinite));
}
