import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BackupError } from './backup-error.ts';
import { decrypting, encrypting } from './encryption.ts';
import type { BackupKeys, ByteStep } from './encryption.ts';
import type { Manifest, TableFile } from './manifest.ts';

/** Rows are compressed eight to one at this level, at five times the speed of the default. */
const COMPRESSION = { level: 1 };

/** Compresses rows into a new file of mode 600, encrypts them where keys are given, and waits until they are on disk. */
export async function writeTableFile(
  folder: string,
  table: string,
  rows: AsyncIterable<Uint8Array>,
  keys: BackupKeys | null,
): Promise<Pick<TableFile, 'bytes' | 'file' | 'sha256'>> {
  const file = `${table}.copy.gz${keys === null ? '' : '.age'}`;
  const meter = new Meter();
  const target = path.join(folder, file);
  await pipeline(
    rows,
    createGzip(COMPRESSION),
    keys === null ? unchanged : encrypting(keys),
    meter.step,
    createWriteStream(target, { flags: 'wx', mode: 0o600 }),
  );
  await flush(target);
  return { file, bytes: meter.bytes, sha256: meter.digest() };
}

/** Waits until a file, or a folder's list of names, is on disk. */
export async function flush(target: string): Promise<void> {
  const handle = await open(target, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The rows of a table's file. The file is expected to have been checked. */
export async function* readTableFile(
  folder: string,
  { file }: TableFile,
  keys: BackupKeys | null,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  const read = pipeline(
    createReadStream(path.join(folder, file)),
    keys === null ? unchanged : decrypting(keys, file),
    gunzip,
  );
  // Its failure ends the iteration below.
  read.catch(() => undefined);
  yield* gunzip as AsyncIterable<Uint8Array>;
  await read;
}

/**
 * Checks every file of a backup before anything is done with it: its size, its SHA-256, and that the key fits.
 * @throws BackupError that names the file.
 */
export async function checkFiles(folder: string, { tables }: Manifest, keys: BackupKeys | null): Promise<void> {
  for (const table of tables) {
    const file = path.join(folder, table.file);
    const bytes = statSync(file, { throwIfNoEntry: false })?.size;
    if (bytes === undefined) throw new BackupError(`${file} is missing. Use another backup.`);
    if (bytes < table.bytes) {
      throw new BackupError(`${file} was cut off: ${bytes} of ${table.bytes} bytes are left. Use another backup.`);
    }
    const meter = new Meter();
    for await (const chunk of createReadStream(file) as AsyncIterable<Uint8Array>) meter.add(chunk);
    if (meter.digest() !== table.sha256) {
      throw new BackupError(`${file} was changed: its SHA-256 is not that of the manifest. Use another backup.`);
    }
  }
  const [first] = tables;
  if (first === undefined) throw new BackupError(`${folder} has no tables. Use another backup.`);
  // The first bytes show whether the key fits.
  for await (const _ of readTableFile(folder, first, keys)) break;
}

async function* unchanged(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* source;
}

/** Counts bytes and computes their SHA-256. */
class Meter {
  bytes = 0;
  readonly #hash = createHash('sha256');

  readonly step: ByteStep = (source) => this.#measured(source);

  add(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    this.#hash.update(chunk);
  }

  digest(): string {
    return this.#hash.digest('hex');
  }

  async *#measured(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      this.add(chunk);
      yield chunk;
    }
  }
}
