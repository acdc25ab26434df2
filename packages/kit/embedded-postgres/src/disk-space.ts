import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { clusterIn } from './data-folder.ts';

/** Postgres makes a segment of its write-ahead log whole: with less than one, nothing is sure to be stored. */
const SEGMENT_BYTES = 16 * 1024 * 1024;

/** The disk of the data folder, or that of its write-ahead log, has no space for Postgres. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
  constructor(cause?: unknown) {
    super('the disk of DATA_DIR is full: free space', { cause });
  }
}

/** Whether the disk of a folder has too little space for Postgres, apart from `heldBytes` that are not to be used. */
export function isFull(folder: string, heldBytes = 0): boolean {
  return freeBytes(folder) - heldBytes < SEGMENT_BYTES;
}

/** The bytes that a user other than root can still write there. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Whether the data folder, its cluster or its write-ahead log, each perhaps on a disk of its own, has no space. */
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

/** The error for operators: `DiskFull` where an error, or Postgres' log in its message, says so, or the disk is full. */
export function explainBySpace(error: unknown, dataDir: string): Error {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const isOfDisk = /no space left on device/i.test(message) || isAnyFull(dataDir);
  return isOfDisk ? new DiskFull(error) : error instanceof Error ? error : new Error(message);
}
