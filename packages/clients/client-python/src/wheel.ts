import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '@paper/contracts';
import { strToU8, zipSync } from 'fflate';
import type { Zippable } from 'fflate';

const NAME = 'papertrading';
const SOURCES = path.join(import.meta.dirname, NAME);

/** The files that a wheel has of its package: modules, and the marker of types. */
const PACKAGED = /^(\w+\.py|py\.typed)$/;

/** The earliest time that a zip can hold, so that the same sources give the same bytes. */
const FILE_TIME = new Date(1980, 0, 1);

/** The metadata of the wheel that setuptools builds, without the long description. A test compares the two. */
const METADATA = `Metadata-Version: 2.1
Name: ${NAME}
Version: ${VERSION}
Summary: Client of the Paper Trading Service: simulated money on yes/no markets
License: MIT
Requires-Python: >=3.9
Provides-Extra: pandas
Requires-Dist: pandas ; extra == 'pandas'
`;

const WHEEL = `Wheel-Version: 1.0
Generator: ${NAME}-service
Root-Is-Purelib: true
Tag: py3-none-any
`;

/** A Python package, ready for `pip install`. */
export interface Wheel {
  /** pip reads the package's name and version from it. */
  readonly fileName: string;
  readonly bytes: Buffer;
}

let made: Wheel | null = null;

/** The wheel of the Python client, made of its sources once. It needs no Python, so that every service can serve it. */
export function pythonWheel(): Wheel {
  made ??= makeWheel();
  return made;
}

function makeWheel(): Wheel {
  const info = `${NAME}-${VERSION}.dist-info`;
  const files: Record<string, Uint8Array> = {};
  for (const file of readdirSync(SOURCES).sort()) {
    if (PACKAGED.test(file)) files[`${NAME}/${file}`] = readFileSync(path.join(SOURCES, file));
  }
  files[`${info}/METADATA`] = strToU8(METADATA);
  files[`${info}/WHEEL`] = strToU8(WHEEL);
  files[`${info}/top_level.txt`] = strToU8(`${NAME}\n`);
  const record = Object.entries(files).map(([name, bytes]) => `${name},sha256=${digest(bytes)},${bytes.length}\n`);
  files[`${info}/RECORD`] = strToU8(`${record.join('')}${info}/RECORD,,\n`);
  const zipped: Zippable = {};
  for (const [name, bytes] of Object.entries(files)) zipped[name] = [bytes, { level: 9, mtime: FILE_TIME }];
  return { fileName: `${NAME}-${VERSION}-py3-none-any.whl`, bytes: Buffer.from(zipSync(zipped)) };
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');
