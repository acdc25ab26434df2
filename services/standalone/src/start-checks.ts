import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { dirname, join } from 'node:path';
import { assertOwnCluster } from '@paper/embedded-postgres';
import { assertFolderFree, StartRefused } from '@paper/runtime';
import type { StandaloneConfig } from './config.ts';

type Placed = Pick<StandaloneConfig, 'DATABASE_URL' | 'DATA_DIR' | 'HOST' | 'METRICS_PORT' | 'PORT'>;

/** Throws StartRefused or FolderInUse if the start cannot work, without changing anything on disk. */
export async function checkStart(config: Placed): Promise<void> {
  const { DATABASE_URL, DATA_DIR: dataDir } = config;
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  const folder = nearestFolder(dataDir);
  if (folder === dataDir) {
    const unusable = [`DATA_DIR ${dataDir} cannot be used`, `sudo chown -R ${uid}:${gid} '${dataDir}'`] as const;
    assertPermitted([dataDir], FOLDER, ...unusable);
    // The files of a copy made by root belong to root, and the secrets among them are readable only by their owner.
    assertPermitted(filesOf(dataDir), constants.R_OK, ...unusable);
    if (DATABASE_URL === undefined) assertOwnCluster(dataDir);
    assertFolderFree(dataDir, 'standalone.lock');
  } else {
    const mend = `sudo install -d -m 700 -o ${uid} -g ${gid} '${dataDir}'`;
    assertPermitted([folder], FOLDER, `DATA_DIR ${dataDir} cannot be made`, mend);
  }
  await assertPortsFree(config);
}

const FOLDER = constants.R_OK | constants.W_OK | constants.X_OK;

/** The folder, or if it is missing the nearest existing parent. @throws StartRefused for a file. */
function nearestFolder(path: string): string {
  if (!existsSync(path)) return nearestFolder(dirname(path));
  if (statSync(path).isDirectory()) return path;
  throw new StartRefused(`DATA_DIR is not a folder: ${path} is a file. Name a folder: npm start -- --data-dir FOLDER`);
}

function filesOf(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(folder, entry.name)] : []));
}

function assertPermitted(paths: readonly string[], mode: number, what: string, mend: string): void {
  const denying = paths.find((path) => !permits(path, mode));
  if (denying === undefined) return;
  throw new StartRefused(
    `${what}: ${denying} belongs to user ${statSync(denying).uid}, and this process is user ${process.getuid?.()}. ` +
      `Start it as that user, name another folder (--data-dir), or run: ${mend}`,
  );
}

function permits(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Listens on all ports at once, so that a port in both settings counts as taken. */
async function assertPortsFree({ HOST: host, METRICS_PORT, PORT }: Placed): Promise<void> {
  const listening: Server[] = [];
  try {
    for (const [option, port] of Object.entries({ port: PORT, 'metrics-port': METRICS_PORT })) {
      const server = createServer().listen(port, host);
      listening.push(server);
      await once(server, 'listening').catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
        throw new StartRefused(
          `Port ${port} of ${host} is taken. Choose another: npm start -- --${option} ${port + 1}`,
        );
      });
    }
  } finally {
    for (const server of listening) server.close();
  }
}
