import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { canonicalJson } from '@paper/journal';
import { z } from 'zod';
import { BackupError } from './backup-error.ts';

/** A restore reads the former format too. */
const FORMAT = 2;
const FORMER_FORMAT = 1;
const MANIFEST_FILE = 'manifest.json';
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().nonnegative();

const file = {
  file: z.string().regex(/^[a-z0-9_.-]+$/),
  bytes: count,
  sha256,
};

const content = {
  /** When the backup began, ISO 8601 in UTC. */
  takenAt: z.iso.datetime(),
  build: z.string(),
  journal: z.enum(['postgres', 'eventstoredb']),
  encrypted: z.boolean(),
  heads: z.array(z.strictObject({ shard: z.string(), seq: count, hash: sha256 })),
  /** One file for each table: rows of `COPY … TO STDOUT`, compressed, then encrypted. */
  tables: z.array(
    z.strictObject({
      name: z.string().regex(/^[a-z_]+\.[a-z_]+$/),
      columns: z.array(z.string().regex(/^[a-z_]+$/)),
      rows: count,
      ...file,
    }),
  ),
  sha256,
};

const formerSchema = z.strictObject({ format: z.literal(FORMER_FORMAT), ...content });

const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  ...content,
  /** SHA-256 of the public keys; null without encryption. */
  recipients: sha256.nullable(),
  /** The files of journals, each with its range of events and its last hash. */
  parts: z.array(z.strictObject({ shard: z.string(), from: count, to: count, hash: sha256, ...file })),
});

/** Describes a backup: its contents, the ends of its journals, and digests to check it by. */
export type Manifest = Readonly<Omit<z.output<typeof manifestSchema>, 'format'>> & {
  readonly format: typeof FORMAT | typeof FORMER_FORMAT;
};

export type TableFile = Manifest['tables'][number];
export type PartFile = Manifest['parts'][number];

/** Any file of a backup. */
export type BackupFile = Pick<TableFile, 'bytes' | 'file' | 'sha256'>;

export function manifestText(manifest: Omit<Manifest, 'format' | 'sha256'>): { readonly file: string; text: string } {
  const all = { format: FORMAT, ...manifest };
  const whole = { ...all, sha256: digestOf(all) };
  return { file: MANIFEST_FILE, text: `${JSON.stringify(whole, null, 2)}\n` };
}

/**
 * Reads a backup's manifest.
 * @throws BackupError when the backup is unfinished, or its manifest was changed or has another format.
 */
export function readManifest(folder: string): Manifest {
  const file = path.join(folder, MANIFEST_FILE);
  const { sha256: stated, ...found } = parse(file);
  if (digestOf(found) !== stated) throw new BackupError(`${file} was changed: its SHA-256 is not the stated one.`);
  return { recipients: null, parts: [], ...found, sha256: stated };
}

function parse(file: string): z.output<typeof formerSchema | typeof manifestSchema> {
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof SyntaxError) throw new BackupError(`${file} was cut off or changed: it is not JSON.`);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    throw new BackupError(`${path.dirname(file)} holds no finished backup: there is no ${MANIFEST_FILE}.`);
  }
  const format = (found as { format?: unknown } | null)?.format;
  if (typeof format === 'number' && format !== FORMAT && format !== FORMER_FORMAT) {
    throw new BackupError(
      `${file} has format ${format}, and this program reads ${FORMER_FORMAT} and ${FORMAT}: use the program that made it.`,
    );
  }
  const result = (format === FORMER_FORMAT ? formerSchema : manifestSchema).safeParse(found);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new BackupError(`${file} was changed: ${issue?.path.join('.')}: ${issue?.message}.`);
}

const digestOf = (all: object): string => createHash('sha256').update(canonicalJson(all)).digest('hex');
