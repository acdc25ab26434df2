import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Passed from the half of `npm run images` that builds to the half that runs, by a file in the folder of the run. */
export interface Handover {
  /** The folder of images, containers and data. */
  readonly folder: string;
  /** The driver of the storage. */
  readonly driver: string;
  /** The full name of the images' base. */
  readonly base: string;
  /** 0 where the base was there already. */
  readonly baseSeconds: number;
  /** By the image's name. */
  readonly buildSeconds: Readonly<Record<string, number>>;
}

const fileIn = (folder: string): string => path.join(folder, 'built.json');

export function writeHandover(handover: Handover): void {
  writeFileSync(fileIn(handover.folder), JSON.stringify(handover));
}

/** The handover in the folder of the first argument. Before the build it has nothing but the folder. */
export function readHandover(): Handover {
  const folder = process.argv[2] ?? '';
  if (folder === '') throw new Error('this program is started by npm run images');
  const file = fileIn(folder);
  if (!existsSync(file)) return { folder, driver: '', base: '', baseSeconds: 0, buildSeconds: {} };
  return JSON.parse(readFileSync(file, 'utf8')) as Handover;
}
