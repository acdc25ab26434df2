import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Journal } from '@paper/journal';

/** The error of an export that cannot be written. The message contains the reason and instructions. */
export class ExportRefused extends Error {
  override readonly name = 'ExportRefused';
}

/** The options of every export. */
export interface ExportSettings {
  readonly journal: Pick<Journal, 'head' | 'read'>;
  readonly shard: string;
  /** The folder to create; it may exist if it is empty. */
  readonly out: string;
  /** The export ends just before the first event at or after this time, in ms; null for the head of the journal. */
  readonly toMs: number | null;
  readonly signal: AbortSignal;
  readonly onProgress?: (seq: number, target: number) => void;
}

/**
 * Lets `write` fill a folder beside `out`, whose name says that it is partial. Adds the manifest that `write` returns,
 * and gives the folder its name when all of it is on the disk. Until then, and after a failure, no folder has that name.
 * @throws ExportRefused when `out` exists and is not an empty folder, or cannot be written
 */
export async function writeExport<Manifest>(
  { out: folder }: Pick<ExportSettings, 'out'>,
  write: (folder: string) => Promise<Manifest>,
): Promise<Manifest> {
  const out = path.resolve(folder);
  await assertFree(out);
  const parent = path.dirname(out);
  const partial = path.join(parent, `.${path.basename(out)}.partial-${randomUUID().slice(0, 8)}`);
  await mkdir(parent, { recursive: true }).catch((error: unknown) => refuse(error, parent));
  await mkdir(partial).catch((error: unknown) => refuse(error, parent));
  try {
    const manifest = await write(partial);
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    await writeFile(path.join(partial, 'manifest.json'), text, { flag: 'wx', flush: true });
    await syncFolder(partial);
    await assertFree(out);
    await rename(partial, out);
    await syncFolder(parent);
    return manifest;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw readableWriteError(error, out);
  }
}

/** Converts a write error to one with instructions; returns other errors unchanged. */
function readableWriteError(error: unknown, out: string): unknown {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new ExportRefused(
      `No space is left on the disk of ${out}. The incomplete export was removed: free space, or choose another --out.`,
    );
  }
  if (code === 'EFBIG') return new ExportRefused(`A file of ${out} would be larger than this system permits.`);
  return error;
}

async function assertFree(out: string): Promise<void> {
  try {
    if ((await readdir(out)).length === 0) return;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    if (codeOf(error) !== 'ENOTDIR') refuse(error, out);
    throw new ExportRefused(`${out} is a file: --out takes a folder, new or empty.`);
  }
  throw new ExportRefused(`${out} is not empty: --out takes a folder, new or empty.`);
}

function refuse(error: unknown, folder: string): never {
  const code = codeOf(error);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    throw new ExportRefused(`${folder} cannot be written (${code}): choose another --out.`);
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') throw new ExportRefused(`${folder} is no folder: choose another --out.`);
  throw readableWriteError(error, folder);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
