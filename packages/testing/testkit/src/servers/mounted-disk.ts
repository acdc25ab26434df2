import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import path from 'node:path';

/** A mounted file system of its own size, which can be filled and freed. Only root can mount it. */
export class MountedDisk {
  // Ctrl-C must not leave a mounted disk behind.
  readonly #unmount = (): void => void execFileSync('umount', ['--lazy', this.folder]);

  protected constructor(readonly folder: string) {
    process.once('exit', this.#unmount);
  }

  fill(): void {
    fillDisk(this.ballast);
  }

  /** Frees the space that `fill` has taken. */
  free(): void {
    rmSync(this.ballast, { force: true });
  }

  remove(): void {
    process.off('exit', this.#unmount);
    this.#unmount();
  }

  protected get ballast(): string {
    return path.join(this.folder, 'ballast');
  }

  /** Runs the commands that mount a disk. Returns the reason if this machine does not permit them, else null. */
  protected static refusal(mount: () => void): string | null {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can mount a file system';
    try {
      mount();
      return null;
    } catch (error) {
      return `no file system can be mounted (${error instanceof Error ? error.message.split('\n', 1)[0] : ''})`;
    }
  }
}

/** Fills the disk of this file, including space that was freed since the last call. */
function fillDisk(ballast: string): void {
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
