import { rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import type { EmbeddedPostgres } from '@paper/embedded-postgres';
import { withClient } from '@paper/runtime';
import { placeCluster, ENTERABLE_BY_ALL } from './cluster-template.ts';

export interface TestDatabase {
  readonly connectionString: string;
  /** Drops the database; connections that are still open are cut. */
  close(): Promise<void>;
}

/** The oldest Postgres that the README promises, at the path of Debian's package. */
export const OLDEST_POSTGRES = '/usr/lib/postgresql/15/bin';

/** The servers of this process, by the folder of their programs. The key of the Postgres from npm is the empty string. */
const servers = new Map<string, Promise<string>>();
let databases = 0;

/**
 * Creates an empty database on the server of TEST_DATABASE_URL, or else on one of this process, which does not flush.
 * `binaries`: the folder of the server's programs; default: TEST_POSTGRES, or else the Postgres from npm.
 */
export async function testDatabase(binaries = process.env['TEST_POSTGRES'] ?? ''): Promise<TestDatabase> {
  const server = servers.get(binaries) ?? startServer(binaries);
  servers.set(binaries, server);
  const base = await server;
  databases += 1;
  const name = `test_${process.pid}_${databases}`;
  await run(base, `create database ${name}`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  return {
    connectionString: url.href,
    close: () => run(base, `drop database if exists ${name} with (force)`),
  };
}

async function run(connectionString: string, statement: string): Promise<void> {
  await withClient({ connectionString }, (client) => client.query(statement));
}

async function startServer(folder: string): Promise<string> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined && given !== '') return given;
  const binaries = folder === '' ? undefined : folder;
  const dataDir = await mkdtemp(join(tmpdir(), 'paper-test-postgres-'));
  await chmod(dataDir, ENTERABLE_BY_ALL);
  await placeCluster(dataDir, binaries);
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '64MB' };
  const postgres = await startEmbeddedPostgres({ binaries, dataDir, settings });
  process.once('exit', () => discard(postgres, dataDir));
  return postgres.connectionString;
}

/** Kills the server without a shutdown: its data is not needed, and an exiting process cannot wait. */
function discard(postgres: EmbeddedPostgres, dataDir: string): void {
  try {
    process.kill(postgres.pid, 'SIGQUIT');
  } catch {
    // The server has ended already.
  }
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 25 });
}
