import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { SmallDisk } from '@paper/testkit/servers';

/** Mounts a disk for a folder, with room for the folder's content and more. Returns the reason if it cannot. */
export function diskFor(folder: string, name: string, roomBytes: number): SmallDisk | string {
  const content = Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t', 1)[0]);
  return SmallDisk.make(path.join(path.dirname(folder), name), content + roomBytes);
}
