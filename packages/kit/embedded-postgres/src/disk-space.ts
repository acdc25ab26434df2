import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { clusterIn } from './data-folder.ts';

/** The size of a segment of Postgres's write-ahead log: with less free space a commit may fail. */
const SEGMENT_BYTES = 16 * 1024 * 1024;

/** The disk of the data folder, or that of its write-ahead log, has no space for Postgres. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
  constructor(cause?: unknown) {
    super('the disk of DATA_DIR is full: free space', { cause });
  }
}

/** Whether the disk of a folder has too little space for Postgres, not counting `heldBytes` that must stay unused. */
export function isFull(folder: string, heldBytes = 0): boolean {
  return freeBytes(folder) - heldBytes < SEGMENT_BYTES;
}

export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Whether any of the disks of the data folder, its cluster and its write-ahead log has no space. */
export function isAnyFull(dataDir: string): boolean {
  const folders = [dataDir, clusterIn(dataDir), join(clusterIn(dataDir), 'pg_wal')];
  return folders.some((folder) => {
    try {
      return isFull(folder);
    } catch {
      // There is no cluster yet.
      return false;
    }
  });
}

/** Makes an error `DiskFull` if it, or Postgres's log in its message, says so, or the disk is full. */
export function explainBySpace(error: unknown, dataDir: string): Error {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const isOfDisk = /no space left on device/i.test(message) || isAnyFull(dataDir);
  return isOfDisk ? new DiskFull(error) : error instanceof Error ? error : new Error(message);
}
