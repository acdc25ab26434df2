import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Passed from the half of `npm run images` that builds to the half that runs, by a file in the folder of the run. */
export interface Handover {
  /** The folder of images, containers and data. */
  readonly folder: string;
  /** With docker-compose.tls.yml; its certificates are in the folder `certificates`. */
  readonly hasTls: boolean;
  /** The driver of the storage. */
  readonly driver: string;
  /** The full name of the images' base. */
  readonly base: string;
  /** 0 where the base was there already. */
  readonly baseSeconds: number;
  /** Indexed by the image's name. */
  readonly buildSeconds: Readonly<Record<string, number>>;
}

const fileIn = (folder: string): string => path.join(folder, 'built.json');

export function writeHandover(handover: Handover): void {
  writeFileSync(fileIn(handover.folder), JSON.stringify(handover));
}

/** The handover in the folder of the first argument, and whether the second says `tls`. Before the build it has nothing but those. */
export function readHandover(): Handover {
  const [, , folder = '', tls] = process.argv;
  const hasTls = tls === 'tls';
  if (folder === '') throw new Error('this program is started by npm run images');
  const file = fileIn(folder);
  if (!existsSync(file)) return { folder, hasTls, driver: '', base: '', baseSeconds: 0, buildSeconds: {} };
  return { ...(JSON.parse(readFileSync(file, 'utf8')) as Handover), hasTls };
}
