import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What the building half of `npm run images` passes to the running half, in a file in the folder of the run. */
export interface Handover {
  /** The folder of images, containers and data. */
  readonly folder: string;
  /** Whether docker-compose.tls.yml is used; its certificates are in the folder `certificates`. */
  readonly hasTls: boolean;
  readonly driver: string;
  readonly base: string;
  /** 0 if the base already existed. */
  readonly baseSeconds: number;
  /** The time of each build, by the image's name. */
  readonly buildSeconds: Readonly<Record<string, number>>;
}

const fileIn = (folder: string): string => path.join(folder, 'built.json');

export function writeHandover(handover: Handover): void {
  writeFileSync(fileIn(handover.folder), JSON.stringify(handover));
}

/** Reads it from the folder of the first argument; the second argument may be `tls`. Before the build it is empty. */
export function readHandover(): Handover {
  const [, , folder = '', tls] = process.argv;
  const hasTls = tls === 'tls';
  if (folder === '') throw new Error('this program is started by npm run images');
  const file = fileIn(folder);
  if (!existsSync(file)) return { folder, hasTls, driver: '', base: '', baseSeconds: 0, buildSeconds: {} };
  return { ...(JSON.parse(readFileSync(file, 'utf8')) as Handover), hasTls };
}
