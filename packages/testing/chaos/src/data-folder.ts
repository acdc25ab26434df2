import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { SmallDisk } from '@paper/testkit/servers';

/** The bytes of everything in a folder. */
export const sizeOf = (folder: string): number =>
  Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t', 1)[0]);

/** Mounts a disk for a folder, with room for the folder's content and more. Returns the reason if it cannot. */
export const diskFor = (folder: string, name: string, roomBytes: number): SmallDisk | string =>
  SmallDisk.make(path.join(path.dirname(folder), name), sizeOf(folder) + roomBytes);

/** Moves a folder, even to another file system, and keeps its owners, since Postgres does not run as root. */
export function move(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  execFileSync('cp', ['-a', from, to]);
  rmSync(from, { recursive: true });
}
