import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { NameStore } from './name-store.ts';

/** The file in the folder of backups, and in each backup, with the accounts whose names were forgotten. */
const ERASURES_FILE = 'erasures.ndjson';

/** The folder of backups where BACKUP_DIR is not set: beside DATA_DIR, so that it outlives it. */
export function usualBackupDir(dataDir: string): string {
  return `${path.resolve(dataDir)}-backups`;
}

export interface ErasureLogOptions {
  /** BACKUP_DIR: the folder with a folder for each backup. */
  readonly folder: string;
  /** True: the folder must be there, else nothing can be forgotten. False: without it, there are no backups. */
  readonly required: boolean;
}

/**
 * Records, beside the backups and outside the database, which accounts' names were deleted: a restore deletes them
 * again. Holds ids of accounts and nothing else.
 */
export class ErasureLog {
  constructor(private readonly options: ErasureLogOptions) {}

  /**
   * Notes these accounts in the folder of backups and in every backup, on disk once it returns. An account that is
   * there already is not written again.
   *
   * @throws Error where one of the files cannot be written.
   */
  note(accountIds: readonly string[]): void {
    const { folder, required } = this.options;
    if (!existsSync(folder)) {
      if (!required) return;
      throw new Error(`BACKUP_DIR: there is no folder ${folder}; deletions wait until it is there`);
    }
    // First the folder of all backups: a backup that finishes in between takes over its entries.
    noteErasures(folder, accountIds);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) noteErasures(path.join(folder, entry.name), accountIds);
    }
  }
}

/** Adds accounts to the file of a folder, each once. A folder that no longer exists is skipped. */
export function noteErasures(folder: string, accountIds: readonly string[]): void {
  const known = new Set(readErasures(folder));
  const missing = accountIds.filter((id) => !known.has(id));
  if (missing.length === 0 || !existsSync(folder)) return;
  const file = path.join(folder, ERASURES_FILE);
  const lines = missing.map((accountId) => `${JSON.stringify({ accountId })}\n`).join('');
  // A line that a killed process left incomplete stays a separate line.
  const isCut = existsSync(file) && !/(^|\n)$/.test(readFileSync(file, 'utf8'));
  const handle = openSync(file, 'a', 0o600);
  try {
    appendFileSync(handle, isCut ? `\n${lines}` : lines);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Reads the accounts that are noted in a folder; none where it has no such file. A line that a killed process left half
 * is passed over: the next start of the service writes it again.
 */
export function readErasures(folder: string): readonly string[] {
  const file = path.join(folder, ERASURES_FILE);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => /^\{"accountId":"([0-9a-f-]{36})"\}$/.exec(line)?.[1] ?? []);
}

/** The same store, which also logs each deletion. The promise of `forget` rejects where the log cannot be written. */
export function withErasureLog(store: NameStore, log: ErasureLog | null): NameStore {
  if (log === null) return store;
  return {
    ...store,
    async forget(accountIds) {
      await store.forget(accountIds);
      if (accountIds.length > 0) log.note(accountIds);
    },
  };
}
