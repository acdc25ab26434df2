import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pythonWheel } from '@paper/client-python';
import { VERSION } from '@paper/contracts';
import { npmTarball } from './npm-tarball.ts';

/** A package of a client, as a service serves it at `/clients/<name>`. */
export interface ClientFile {
  /** The name of the file. npm accepts any, so its address stays the same; pip reads the version from it. */
  readonly name: string;
  /** A description, with the command that installs the package; `URL` stands for the file's address. */
  readonly about: string;
  readonly contentType: string;
  /** Builds the file once if the service runs from source; else reads the built file. */
  readonly read: () => Promise<Buffer>;
}

const FILES: readonly (Omit<ClientFile, 'read'> & { readonly build: () => Promise<Buffer> })[] = [
  {
    name: 'paper-trading-client.tgz',
    about: 'The client for JavaScript and TypeScript: npm install URL',
    contentType: 'application/gzip',
    build: npmTarball,
  },
  {
    name: `papertrading-${VERSION}-py3-none-any.whl`,
    about: 'The client for Python: pip install URL',
    contentType: 'application/zip',
    build: () => Promise.resolve(pythonWheel().bytes),
  },
];

/** The folder of built files, in a built service. */
const BUILT = path.join(import.meta.dirname, 'built');

/** The packages of the clients. */
export function clientFiles(): readonly ClientFile[] {
  const isSource = import.meta.url.endsWith('.ts');
  return FILES.map(({ build, ...file }) => {
    let made: Promise<Buffer> | null = null;
    const readBuilt = (): Promise<Buffer> => readFile(path.join(BUILT, file.name));
    const read = (): Promise<Buffer> => {
      made ??= (isSource ? build : readBuilt)().catch((error: unknown) => {
        made = null;
        throw error;
      });
      return made;
    };
    return { ...file, read };
  });
}

/** The program that checks a public journal, unchanged. */
export function verifyJournal(): Buffer {
  return readFileSync(path.join(import.meta.dirname, 'verify-journal.mjs'));
}

/** Builds every package into the folder. */
export async function writeClientFiles(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const { build, name } of FILES) writeFileSync(path.join(folder, name), await build());
}
