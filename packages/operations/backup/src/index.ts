export { BackupError } from './backup-error.ts';
export { BackupFolder, type StoredBackup } from './backup-folder.ts';
export { readKeyFile, writeNewKey, type BackupKeys } from './encryption.ts';
export { readManifest, type Manifest } from './manifest.ts';
export type { OnProgress } from './progress.ts';
export { restoreBackup, type RestoreOptions, type Restored } from './restore.ts';
export { BACKED_UP, LEFT_OUT } from './tables.ts';
export { takeBackup } from './take-backup.ts';
