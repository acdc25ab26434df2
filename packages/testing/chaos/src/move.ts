import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';

/** Moves a folder, even to another file system, and keeps its owners, since Postgres does not run as root. */
export function move(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  execFileSync('cp', ['-a', from, to]);
  rmSync(from, { recursive: true });
}
