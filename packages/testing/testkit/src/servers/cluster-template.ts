import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';

const root = path.resolve(import.meta.dirname, '../../../../..');
/** A cluster depends on these: the version of Postgres, and the options of initdb. */
const SOURCES = ['packages/kit/embedded-postgres/package.json', 'packages/kit/embedded-postgres/src/cluster.ts'];

/**
 * Lets the server's user through to the cluster, which itself is that user's alone: a Postgres before 16 goes by its
 * whole path.
 */
export const REACHABLE = 0o711;

/** The templates of this process, by the folder of their Postgres's programs; undefined: the one that npm ships. */
const made = new Map<string | undefined, Promise<string>>();

/**
 * Puts an empty cluster into a data folder that has none, so that the server that is started there needs no initdb: a
 * copy takes a tenth of its work. All such clusters have one password, so they are for tests alone.
 *
 * @param binaries the folder of the server's programs, where they are not those that npm ships
 */
export async function placeCluster(dataDir: string, binaries?: string): Promise<void> {
  const cluster = path.join(dataDir, 'postgres');
  if (process.platform === 'win32' || existsSync(cluster)) return;
  const template = made.get(binaries) ?? ensureTemplate(binaries);
  made.set(binaries, template);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await promisify(execFile)('cp', ['-a', await template, cluster]);
}

/** The folder of the template, which is made once for these sources. */
async function ensureTemplate(binaries: string | undefined): Promise<string> {
  const hash = createHash('sha256').update(binaries ?? '');
  for (const file of SOURCES) hash.update(readFileSync(path.join(root, file)));
  // The user of a server that root starts may have no access to the clone.
  const parent = binaries === undefined ? path.join(root, '.cache') : tmpdir();
  const folder = path.join(parent, `test-cluster-${hash.digest('hex').slice(0, 16)}`);
  const cluster = path.join(folder, 'postgres');
  if (existsSync(cluster)) return cluster;
  // Another process may make the same at this moment; the first to finish renames its folder.
  const making = `${folder}.${process.pid}`;
  mkdirSync(making, { recursive: true, mode: REACHABLE });
  const server = await startEmbeddedPostgres({ binaries, dataDir: making, settings: { fsync: 'off' } });
  await server.stop();
  try {
    renameSync(making, folder);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(cluster)) throw error;
  }
  return cluster;
}
