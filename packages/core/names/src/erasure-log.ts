import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { NameStore } from './name-store.ts';

/** The file with the accounts whose names were deleted: one in the folder of all backups, and one in each backup. */
const ERASURES_FILE = 'erasures.ndjson';

/** The default of BACKUP_DIR, beside DATA_DIR, so that the backups outlive it. */
export const defaultBackupDir = (dataDir: string): string => `${path.resolve(dataDir)}-backups`;

export interface ErasureLogOptions {
  /** BACKUP_DIR, with a folder for each backup. */
  readonly folder: string;
  /** True: without the folder, deletions wait. False: a missing folder means that there are no backups. */
  readonly required: boolean;
}

/** Records beside the backups, by ids alone, which accounts' names were deleted: a restore deletes them again. */
export class ErasureLog {
  constructor(private readonly options: ErasureLogOptions) {}

  /**
   * Adds these accounts, each once, to the folder of backups and to every backup; they are on disk when it returns.
   * @throws Error when a file cannot be written, or the required folder is missing.
   */
  note(accountIds: readonly string[]): void {
    const { folder, required } = this.options;
    if (!existsSync(folder)) {
      if (!required) return;
      throw new Error(`BACKUP_DIR: there is no folder ${folder}; deletions wait until it is there`);
    }
    // The folder of all backups comes first: a backup that finishes in between copies its entries.
    noteErasures(folder, accountIds);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) noteErasures(path.join(folder, entry.name), accountIds);
    }
  }
}

/** Adds accounts to a folder's file, each once; skips a folder that no longer exists. */
export function noteErasures(folder: string, accountIds: readonly string[]): void {
  const known = new Set(readErasures(folder));
  const missing = accountIds.filter((id) => !known.has(id));
  if (missing.length === 0 || !existsSync(folder)) return;
  const file = path.join(folder, ERASURES_FILE);
  const lines = missing.map((accountId) => `${JSON.stringify({ accountId })}\n`).join('');
  // A line that a killed process left incomplete stays a line of its own.
  const isCut = existsSync(file) && !/(^|\n)$/.test(readFileSync(file, 'utf8'));
  const handle = openSync(file, 'a', 0o600);
  try {
    appendFileSync(handle, isCut ? `\n${lines}` : lines);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** The accounts that are recorded in a folder. A line that was cut off is skipped: the next start writes it again. */
export function readErasures(folder: string): readonly string[] {
  const file = path.join(folder, ERASURES_FILE);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => /^\{"accountId":"([0-9a-f-]{36})"\}$/.exec(line)?.[1] ?? []);
}

/** A store whose `forget` also records the accounts in the log, and rejects if that fails. Null: there is no log. */
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
