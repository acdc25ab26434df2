import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** The error of an export that cannot be written. The message contains the reason and instructions. */
export class ExportRefused extends Error {
  override readonly name = 'ExportRefused';
}

/** The folder of an export while it is written, beside the requested one and with a name that says partial. */
export interface PartialFolder {
  readonly path: string;
  /** Renames the folder to the requested name. @throws ExportRefused when that exists by now */
  publish(): Promise<void>;
  remove(): Promise<void>;
}

/** @throws ExportRefused when `out` exists and is not an empty folder, or when its parent is not writable */
export async function createPartialFolder(out: string): Promise<PartialFolder> {
  await assertFree(out);
  const parent = path.dirname(out);
  const partial = path.join(parent, `.${path.basename(out)}.partial-${randomUUID().slice(0, 8)}`);
  await mkdir(parent, { recursive: true }).catch((error: unknown) => refuse(error, parent));
  await mkdir(partial).catch((error: unknown) => refuse(error, parent));
  return {
    path: partial,
    publish: async () => {
      await syncFolder(partial);
      await assertFree(out);
      await rename(partial, out);
      await syncFolder(parent);
    },
    remove: () => rm(partial, { recursive: true, force: true }),
  };
}

/** Converts a write error to one with instructions; returns other errors unchanged. */
export function readableWriteError(error: unknown, out: string): unknown {
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
