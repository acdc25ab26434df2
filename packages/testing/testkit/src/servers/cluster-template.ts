import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';

const root = path.resolve(import.meta.dirname, '../../../../..');
/** A cluster depends on these: the version of Postgres, and the options of initdb. */
const SOURCES = ['packages/kit/embedded-postgres/package.json', 'packages/kit/embedded-postgres/src/cluster.ts'];

let made: Promise<string> | null = null;

/**
 * Puts an empty cluster into a data folder that has none, so that the server that is started there needs no initdb: a
 * copy takes a tenth of its work. All such clusters have one password, so they are for tests alone.
 */
export async function placeCluster(dataDir: string): Promise<void> {
  const cluster = path.join(dataDir, 'postgres');
  if (process.platform === 'win32' || existsSync(cluster)) return;
  const template = await (made ??= ensureTemplate());
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await promisify(execFile)('cp', ['-a', template, cluster]);
}

/** The folder of the template, which is made once for these sources. */
async function ensureTemplate(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of SOURCES) hash.update(readFileSync(path.join(root, file)));
  const folder = path.join(root, '.cache', `test-cluster-${hash.digest('hex').slice(0, 16)}`);
  const cluster = path.join(folder, 'postgres');
  if (existsSync(cluster)) return cluster;
  // Another process may make the same at this moment; the first to finish renames its folder.
  const making = `${folder}.${process.pid}`;
  const server = await startEmbeddedPostgres({ dataDir: making, settings: { fsync: 'off' } });
  await server.stop();
  try {
    renameSync(making, folder);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(cluster)) throw error;
  }
  return cluster;
}
