import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { MountedDisk } from './mounted-disk.ts';

/** A disk in memory. */
export class SmallDisk extends MountedDisk {
  /** Mounts the disk at a new folder that every user may enter; returns the reason if it cannot. */
  static make(folder: string, bytes: number): SmallDisk | string {
    const refusal = MountedDisk.refusal(() => {
      mkdirSync(folder, { recursive: true });
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=755`, 'tmpfs', folder], { stdio: 'pipe' });
      } catch (error) {
        rmSync(folder, { recursive: true });
        throw error;
      }
    });
    return refusal ?? new SmallDisk(folder);
  }

  override remove(): void {
    super.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
