import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';

/** Starts a Postgres with the settings that users run it with: it flushes. `settings` override Postgres's settings. */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'paper-bench-'));
  const server = await startEmbeddedPostgres({ dataDir, settings });
  return {
    connectionString: server.connectionString,
    pid: server.pid,
    /** A folder for a service's data, which does not exist yet and is removed together with the server. */
    serviceDir: path.join(dataDir, 'service'),
    async stop(): Promise<void> {
      await server.stop();
      await rm(dataDir, { force: true, recursive: true });
    },
  };
}
