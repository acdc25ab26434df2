import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '@paper/contracts';
import { strToU8, zipSync } from 'fflate';
import type { Zippable } from 'fflate';

const NAME = 'papertrading';
const SOURCES = path.join(import.meta.dirname, NAME);

const README = path.resolve(SOURCES, '../../README.md');
const LICENSE = path.resolve(SOURCES, '../../../../../LICENSE');

/** The files of a package that a wheel contains: modules, and the marker of types. */
const PACKAGED = /^(\w+\.py|py\.typed)$/;

/** The earliest time that a zip can hold, so that the same sources give the same bytes. */
const FILE_TIME = new Date(1980, 0, 1);

/** The repository of the project, which the packages of both clients name. */
export const REPOSITORY = 'https://github.com/paper-trading-service/paper-trading-service';

const CLASSIFIERS = [
  'Framework :: AsyncIO',
  'Intended Audience :: Developers',
  'Intended Audience :: Financial and Insurance Industry',
  'License :: OSI Approved :: MIT License',
  'Programming Language :: Python :: 3 :: Only',
  'Programming Language :: Python :: Implementation :: CPython',
  'Programming Language :: Python :: Implementation :: PyPy',
  'Topic :: Office/Business :: Financial :: Investment',
  'Typing :: Typed',
];

/** The metadata of the wheel that setuptools builds from pyproject.toml. A test compares the two. */
const METADATA = `Metadata-Version: 2.1
Name: ${NAME}
Version: ${VERSION}
Summary: Client of the Paper Trading Service: simulated money on yes/no markets
License: MIT
Project-URL: Homepage, ${REPOSITORY}
Project-URL: Documentation, ${REPOSITORY}/blob/main/docs/trade/clients.md
Project-URL: Changelog, ${REPOSITORY}/blob/main/CHANGELOG.md
Keywords: exchange,trading,paper trading,prediction markets,simulation
${CLASSIFIERS.map((classifier) => `Classifier: ${classifier}`).join('\n')}
Requires-Python: >=3.9
Description-Content-Type: text/markdown
License-File: LICENSE
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
  /** The file's name, from which pip reads the package's name and version. */
  readonly fileName: string;
  readonly bytes: Buffer;
}

let made: Wheel | null = null;

/** The wheel of the Python client, built once from its sources. That needs no Python, so every service can serve it. */
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
  files[`${info}/LICENSE`] = readFileSync(LICENSE);
  files[`${info}/METADATA`] = strToU8(`${METADATA}\n${readFileSync(README, 'utf8')}`);
  files[`${info}/WHEEL`] = strToU8(WHEEL);
  files[`${info}/top_level.txt`] = strToU8(`${NAME}\n`);
  const record = Object.entries(files).map(([name, bytes]) => `${name},sha256=${digest(bytes)},${bytes.length}\n`);
  files[`${info}/RECORD`] = strToU8(`${record.join('')}${info}/RECORD,,\n`);
  const zipped: Zippable = {};
  for (const [name, bytes] of Object.entries(files)) zipped[name] = [bytes, { level: 9, mtime: FILE_TIME }];
  return { fileName: `${NAME}-${VERSION}-py3-none-any.whl`, bytes: Buffer.from(zipSync(zipped)) };
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');
