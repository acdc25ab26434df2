import { DAY_MS } from '@paper/contracts/units';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { noteErasures, readErasures } from '@paper/names';
import { FolderInUse, lockFolder } from '@paper/runtime';
import { BackupError } from './backup-error.ts';
import { readManifest } from './manifest.ts';
import type { Manifest } from './manifest.ts';
import { flush } from './row-file.ts';

const UNFINISHED = '.unfinished-';

/** A finished backup. */
export interface StoredBackup {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** BACKUP_DIR, with a folder for each backup. */
export class BackupFolder {
  constructor(readonly folder: string) {}

  /** Finished backups, the newest first, without damaged ones and other folders. */
  list(): readonly StoredBackup[] {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .flatMap(({ name }) => this.#found(path.join(this.folder, name)))
      .sort((a, b) => b.manifest.takenAt.localeCompare(a.manifest.takenAt));
  }

  /**
   * Lets `work` fill a new folder, which then appears under its time, whole or not at all. Removes what an interrupted
   * backup has left.
   * @throws BackupError when another backup is being made; the errors of `work`, with nothing left behind.
   */
  async create(takenAt: Date, work: (folder: string) => Promise<void>): Promise<string> {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const unlock = this.#lock();
    const name = takenAt.toISOString().replaceAll(':', '-');
    const draft = path.join(this.folder, `${UNFINISHED}${name}`);
    const folder = path.join(this.folder, name);
    try {
      this.#removeUnfinished();
      mkdirSync(draft, { mode: 0o700 });
      await work(draft);
      await flush(draft);
      renameSync(draft, folder);
      await flush(this.folder);
      // A service that records a deletion writes to this folder first, and then to every backup that it sees.
      noteErasures(folder, readErasures(this.folder));
      return folder;
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      throw error;
    } finally {
      unlock();
    }
  }

  /** Deletes backups older than this, but never the newest one. Returns their folders. */
  expire(days: number, now: Date): readonly string[] {
    const [, ...older] = this.list();
    const expired = older.filter(({ manifest }) => now.getTime() - Date.parse(manifest.takenAt) > days * DAY_MS);
    for (const { folder } of expired) rmSync(folder, { recursive: true });
    return expired.map(({ folder }) => folder);
  }

  #found(folder: string): readonly StoredBackup[] {
    try {
      return [{ folder, manifest: readManifest(folder) }];
    } catch (error) {
      if (error instanceof BackupError) return [];
      throw error;
    }
  }

  #lock(): () => void {
    try {
      return lockFolder(this.folder, 'backup.lock');
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      throw new BackupError(`Another backup into ${this.folder} is under way (pid ${error.pid}): wait for its end.`);
    }
  }

  #removeUnfinished(): void {
    for (const name of readdirSync(this.folder)) {
      if (name.startsWith(UNFINISHED)) rmSync(path.join(this.folder, name), { recursive: true });
    }
  }
}
