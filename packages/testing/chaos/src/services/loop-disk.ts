import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fillDisk } from '@paper/testkit/servers';

/** A file system (ext4) of its own size in a sparse file, which can be filled and freed. It needs root and loop devices. */
export class LoopDisk {
  readonly #unmount = (): void => void execFileSync('umount', ['--lazy', this.mount]);

  private constructor(private readonly folder: string) {}

  /** The path of the file system. */
  get mount(): string {
    return path.join(this.folder, 'mount');
  }

  /** Creates and mounts it, or returns the reason why this machine does not permit that. */
  static make(folder: string, bytes: number): LoopDisk | string {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root can mount a file system';
    const disk = new LoopDisk(folder);
    const image = path.join(folder, 'image');
    mkdirSync(disk.mount, { recursive: true });
    const content = openSync(image, 'w');
    ftruncateSync(content, bytes);
    closeSync(content);
    try {
      execFileSync('mkfs.ext4', ['-q', '-m', '0', image], { stdio: 'pipe' });
      execFileSync('mount', ['-o', 'loop', image, disk.mount], { stdio: 'pipe' });
    } catch (error) {
      return `no file system can be mounted (${error instanceof Error ? error.message.split('\n', 1)[0] : ''})`;
    }
    // Ctrl-C must not leave a mount.
    process.once('exit', disk.#unmount);
    return disk;
  }

  /** Fills it, including space that was freed since the last call. Most of it is reserved, and not written. */
  fill(): void {
    const { bavail, blocks, bsize } = statfsSync(this.mount);
    if (bavail > blocks / 100) {
      const size = statSync(this.#ballast, { throwIfNoEntry: false })?.size ?? 0;
      const bytes = Math.floor(bavail - blocks / 200) * bsize;
      execFileSync('fallocate', ['--offset', String(size), '--length', String(bytes), this.#ballast]);
    }
    fillDisk(this.#ballast);
  }

  /** Frees what `fill` took. */
  free(): void {
    rmSync(this.#ballast, { force: true });
  }

  remove(): void {
    process.off('exit', this.#unmount);
    this.#unmount();
  }

  get #ballast(): string {
    return path.join(this.mount, 'ballast');
  }
}
