import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { MountedDisk } from '@paper/testkit/servers';

/** A disk (ext4) in a sparse file. The machine must have loop devices. */
export class LoopDisk extends MountedDisk {
  /** Creates the disk in a folder and mounts it there. Returns the reason if this machine does not permit that. */
  static make(folder: string, bytes: number): LoopDisk | string {
    const [image, mount] = [path.join(folder, 'image'), path.join(folder, 'mount')];
    const refusal = MountedDisk.refusal(() => {
      mkdirSync(mount, { recursive: true });
      const content = openSync(image, 'w');
      ftruncateSync(content, bytes);
      closeSync(content);
      execFileSync('mkfs.ext4', ['-q', '-m', '0', image], { stdio: 'pipe' });
      execFileSync('mount', ['-o', 'loop', image, mount], { stdio: 'pipe' });
    });
    return refusal ?? new LoopDisk(mount);
  }

  /** Fills the disk by reserving most of its space instead of writing it. */
  override fill(): void {
    const { bavail, blocks, bsize } = statfsSync(this.folder);
    if (bavail > blocks / 100) {
      const size = statSync(this.ballast, { throwIfNoEntry: false })?.size ?? 0;
      const bytes = Math.floor(bavail - blocks / 200) * bsize;
      execFileSync('fallocate', ['--offset', String(size), '--length', String(bytes), this.ballast]);
    }
    super.fill();
  }
}
