import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip } from 'node:zlib';
import { splitLines } from './lines.ts';
import type { LineBatch } from './lines.ts';
import { NEWS } from './news.ts';
import { TapeRefused } from './skips.ts';
import { parseTapeJson } from './tape-json.ts';
import type { Description } from './tape-json.ts';

interface Digest {
  readonly bytes: number;
  readonly sha256: string;
}

/** The source of a tape, which can be read several times. */
export interface TapeSource {
  readonly id: string;
  readonly described: Description;
  /** The text of the news beside the tape; null if there is none. */
  readonly news: string | null;
  /** The whole tape is generated. */
  readonly made?: true;
  lines(): AsyncIterable<LineBatch>;
  /** Known once all lines were read. */
  identity(): Digest;
}

const TAPE_JSON = 'tape.json';
const BESIDE_BYTES = 16 * 1024 * 1024;

/**
 * Opens a file, or a folder whose files are one tape in the order of their names, with the tape.json and news.jsonl
 * beside them. Links in a folder, and names that begin with a dot, are ignored.
 * @throws TapeRefused; Error when there is no such file or folder
 */
export async function openTapeFiles(place: string): Promise<TapeSource> {
  const found = await stat(place).catch(() => null);
  if (found === null) throw new Error(`${place}: there is no such file or folder.`);
  const folder = found.isDirectory() ? place : path.dirname(place);
  const files = found.isDirectory() ? await filesOf(place) : [place];
  const id = path.basename(path.resolve(place));
  if (files.length === 0) throw new TapeRefused(`${id} is refused: the folder has no files.`);
  return new FileSource(id, files, await textOf(folder, TAPE_JSON, id), await textOf(folder, NEWS, id));
}

class FileSource implements TapeSource {
  readonly described: Description;
  readonly #digests = new Map<string, Digest>();
  readonly #cut = new Map<string, boolean>();

  constructor(
    readonly id: string,
    private readonly files: readonly string[],
    private readonly tapeJson: string | null,
    readonly news: string | null,
  ) {
    this.described = tapeJson === null ? new Map() : parseTapeJson(tapeJson, id);
  }

  async *lines(): AsyncGenerator<LineBatch> {
    for (const file of this.files) {
      const name = path.basename(file);
      const isGzip = await beginsAsGzip(file);
      const isCut = isGzip && (this.#cut.get(file) ?? (await isCutOff(file, this.id)));
      this.#cut.set(file, isCut);
      const bytes = this.#hashed(file, name);
      for await (const lines of splitLines(isGzip ? inflated(bytes) : bytes)) yield { file: name, lines };
      if (isCut) yield { file: name, lines: [], isCut };
    }
  }

  identity(): Digest {
    const digests = [...this.#digests];
    if (this.tapeJson !== null) digests.push([TAPE_JSON, digestOf(this.tapeJson)]);
    if (this.news !== null) digests.push([NEWS, digestOf(this.news)]);
    const bytes = digests.reduce((sum, [, one]) => sum + one.bytes, 0);
    const [first] = digests;
    if (digests.length === 1 && first !== undefined) return first[1];
    // The digest of several files is that of the output of `sha256sum`.
    const { sha256 } = digestOf(digests.map(([name, one]) => `${one.sha256}  ${name}\n`).join(''));
    return { bytes, sha256 };
  }

  async *#hashed(file: string, name: string): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of createReadStream(file) as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
    this.#digests.set(name, { bytes, sha256: hash.digest('hex') });
  }
}

export function digestOf(text: string): Digest {
  return { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && ![TAPE_JSON, NEWS].includes(entry.name))
    .map(({ name }) => path.join(folder, name))
    .sort();
}

/** Null without such a file; a link is not followed. @throws TapeRefused when the text is too large for memory */
async function textOf(folder: string, name: string, id: string): Promise<string | null> {
  const file = path.join(folder, name);
  const found = await lstat(file).catch(() => null);
  if (found?.isFile() !== true) return null;
  if (found.size > BESIDE_BYTES) throw new TapeRefused(`${id} is refused: its ${name} has more than 16 MiB.`);
  return readFile(file, 'utf8');
}

async function beginsAsGzip(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.readUInt16BE() === 0x1f8b;
  } finally {
    await handle.close();
  }
}

/** Decompresses all that is left of a file that was cut off, of which the error at its end would lose the last. */
function inflated(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  pipeline(bytes, gunzip).catch((error: unknown) => gunzip.destroy(error as Error));
  return gunzip;
}

/** Whether the file ends before its data do. @throws TapeRefused when the data are damaged */
async function isCutOff(file: string, id: string): Promise<boolean> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    await pipeline(createReadStream(file), createGunzip(), nowhere);
    return false;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') return true;
    if (code?.startsWith('Z_') !== true) throw error;
    throw new TapeRefused(`${id} is refused: the compressed data of ${path.basename(file)} are damaged (${message}).`);
  }
}
