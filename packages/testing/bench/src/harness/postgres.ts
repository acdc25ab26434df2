import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';

/** A Postgres in a folder of its own. */
export interface BenchPostgres {
  readonly connectionString: string;
  readonly pid: number;
  /** A folder for the data of a service, which does not exist yet and is removed together with the server. */
  readonly serviceDir: string;
  stop(): Promise<void>;
}

/** Starts a Postgres with the settings that users run it with: it flushes. `settings` override Postgres's settings. */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<BenchPostgres> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'paper-bench-'));
  const server = await startEmbeddedPostgres({ dataDir, settings });
  return {
    connectionString: server.connectionString,
    pid: server.pid,
    serviceDir: path.join(dataDir, 'service'),
    async stop() {
      await server.stop();
      await rm(dataDir, { force: true, recursive: true });
    },
  };
}
