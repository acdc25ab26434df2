import { closeSync, openSync, statfsSync, writeSync } from 'node:fs';

/** Fills the disk of this file, including space that was freed since the last call. */
export function fillDisk(ballast: string): void {
  const block = Buffer.alloc(1024 * 1024);
  const file = openSync(ballast, 'a');
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(ballast);
      const bytes = Math.min(block.length, bavail * bsize);
      if (bytes === 0) return;
      writeSync(file, block, 0, bytes);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}
