import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fillDisk } from './fill-disk.ts';

/** A file system of its own size in memory, which can be filled and freed. Only root can mount it. */
export class SmallDisk {
  // Ctrl-C must not leave a mount.
  readonly #unmount = (): void => void execFileSync('umount', ['--lazy', this.folder]);

  private constructor(readonly folder: string) {}

  /** Mounts it at a folder, which is made; every user may enter it. Returns the reason where that is not permitted. */
  static make(folder: string, bytes: number): SmallDisk | string {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can mount a small file system';
    mkdirSync(folder, { recursive: true });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=755`, 'tmpfs', folder], { stdio: 'pipe' });
    } catch (error) {
      rmSync(folder, { recursive: true });
      return `no small file system can be mounted (${error instanceof Error ? error.message.split('\n', 1)[0] : ''})`;
    }
    const disk = new SmallDisk(folder);
    process.once('exit', disk.#unmount);
    return disk;
  }

  /** Fills it, including space that was freed since the last call. */
  fill(): void {
    fillDisk(this.#ballast);
  }

  /** Frees what `fill` took. */
  free(): void {
    rmSync(this.#ballast, { force: true });
  }

  /** Unmounts it and removes its folder. */
  remove(): void {
    process.off('exit', this.#unmount);
    this.#unmount();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #ballast(): string {
    return path.join(this.folder, 'ballast');
  }
}
