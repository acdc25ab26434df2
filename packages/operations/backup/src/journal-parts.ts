import { constants } from 'node:fs';
import { copyFile, link } from 'node:fs/promises';
import path from 'node:path';
import type { Journal } from '@paper/journal';
import { BackupError } from './backup-error.ts';
import type { StoredBackup } from './backup-folder.ts';
import type { BackupKeys } from './encryption.ts';
import { eventRow } from './event-rows.ts';
import type { Manifest, PartFile } from './manifest.ts';
import type { OnProgress } from './progress.ts';
import { faultOf, flush, writeRows } from './row-file.ts';

const PART_EVENTS = 50_000;
const PAGE = 2_000;

export interface PartsOptions {
  readonly folder: string;
  readonly journal: Pick<Journal, 'read'>;
  readonly head: Manifest['heads'][number];
  /** An earlier backup with the same encryption keys, to link its parts; null if there is none. */
  readonly former: StoredBackup | null;
  readonly keys: BackupKeys | null;
  readonly onProgress: OnProgress;
}

type Range = Pick<PartFile, 'from' | 'hash' | 'to'>;

/**
 * Copies a journal up to its head in parts. Intact parts of the former backup become hard links.
 * @throws BackupError when the journal changes meanwhile.
 */
export async function writeParts(options: PartsOptions): Promise<readonly PartFile[]> {
  const { folder, head, journal, former } = options;
  const parts: PartFile[] = [];
  for (const part of formerParts(options)) {
    // The journal was restored from an older backup, and has gone on from there.
    if ((await hashAt(journal, part.to)) !== part.hash) break;
    parts.push((await isLinked(former?.folder ?? '', folder, part)) ? part : await write(part, options));
    options.onProgress('copying the journal', part.to, head.seq);
  }
  for (let from = (parts.at(-1)?.to ?? 0) + 1; from <= head.seq; from += PART_EVENTS) {
    const to = Math.min(from + PART_EVENTS - 1, head.seq);
    const hash = to === head.seq ? head.hash : await hashAt(journal, to);
    parts.push(await write({ from, to, hash }, options));
  }
  return parts;
}

const formerParts = ({ former, head }: PartsOptions): readonly PartFile[] =>
  (former?.manifest.parts ?? []).filter(({ shard, to }) => shard === head.shard && to <= head.seq);

/** The hash of an event; empty if there is none. */
export const hashAt = async (journal: Pick<Journal, 'read'>, seq: number): Promise<string> =>
  (await journal.read(seq, 1))[0]?.hash ?? '';

/** Links the part's file into the folder, or copies it; false if it is damaged. */
async function isLinked(from: string, folder: string, part: PartFile): Promise<boolean> {
  if ((await faultOf(from, part)) !== null) return false;
  const [source, target] = [path.join(from, part.file), path.join(folder, part.file)];
  try {
    await link(source, target);
  } catch {
    // Another file system, or one without links, needs a copy.
    await copyFile(source, target, constants.COPYFILE_EXCL);
    await flush(target);
  }
  return true;
}

async function write({ from, hash, to }: Range, options: PartsOptions): Promise<PartFile> {
  const { folder, head, keys } = options;
  const rows = rowsOf({ from, hash, to }, options);
  const written = await writeRows(folder, `journal.events.${from}-${to}.${hash}`, rows, keys);
  return { shard: head.shard, from, to, hash, ...written };
}

async function* rowsOf({ from, hash, to }: Range, options: PartsOptions): AsyncGenerator<Uint8Array> {
  const { head, journal, onProgress } = options;
  const read = (seq: number) => journal.read(seq, Math.min(PAGE, to - seq + 1));
  let next = read(from);
  for (let seq = from; seq <= to;) {
    const page = await next;
    const last = page.at(-1);
    if (page[0]?.seq !== seq || last === undefined || (last.seq === to && last.hash !== hash)) {
      throw new BackupError(`The journal has changed while it was read: sequence ${seq} and later.`);
    }
    seq = last.seq + 1;
    if (seq <= to) {
      next = read(seq);
      // A failure is handled where the page is awaited.
      next.catch(() => undefined);
    }
    yield Buffer.from(page.map((event) => eventRow(head.shard, event)).join(''));
    onProgress('copying the journal', last.seq, head.seq);
  }
}
