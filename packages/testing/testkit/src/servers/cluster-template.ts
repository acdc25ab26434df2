import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';

const root = path.resolve(import.meta.dirname, '../../../../..');
/** The sources that determine the content of a cluster: the version of Postgres, and the options of initdb. */
const SOURCES = ['packages/kit/embedded-postgres/package.json', 'packages/kit/embedded-postgres/src/cluster.ts'];

/** The mode of folders above a cluster: Postgres before version 16 opens it, as its own user, by the absolute path. */
export const ENTERABLE_BY_ALL = 0o711;

/** The templates of this process, by the folder of Postgres's programs; undefined: the Postgres from npm. */
const made = new Map<string | undefined, Promise<string>>();

/**
 * Copies an empty cluster into a data folder without one, in a tenth of the time of initdb. All have the same password.
 * `binaries`: the folder of the server's programs; default: the Postgres from npm.
 */
export async function placeCluster(dataDir: string, binaries?: string): Promise<void> {
  const cluster = path.join(dataDir, 'postgres');
  if (process.platform === 'win32' || existsSync(cluster)) return;
  const template = made.get(binaries) ?? ensureTemplate(binaries);
  made.set(binaries, template);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await promisify(execFile)('cp', ['-a', await template, cluster]);
}

async function ensureTemplate(binaries: string | undefined): Promise<string> {
  const hash = createHash('sha256').update(binaries ?? '');
  for (const file of SOURCES) hash.update(readFileSync(path.join(root, file)));
  // If root starts the server, the user of the server may have no access to the clone.
  const parent = binaries === undefined ? path.join(root, '.cache') : tmpdir();
  const folder = path.join(parent, `test-cluster-${hash.digest('hex').slice(0, 16)}`);
  const cluster = path.join(folder, 'postgres');
  if (existsSync(cluster)) return cluster;
  // Another process may create the same template now. The first process to finish renames its folder.
  const making = `${folder}.${process.pid}`;
  mkdirSync(making, { recursive: true, mode: ENTERABLE_BY_ALL });
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
