import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { lockFolder } from '@paper/runtime';
import { clearLeftover } from './leftover.ts';
import { startEmbeddedPostgres } from './server.ts';
import { clusterIn, LOCK, unfinishedIn } from './data-folder.ts';

/**
 * Fills a new cluster in a separate place, and moves it into the data folder. If the work fails, nothing remains. After
 * kill −9, `startEmbeddedPostgres` refuses the folder until this was repeated. Throws FolderInUse, and Error for a
 * folder that has a cluster.
 */
export async function fillNewCluster<T>(dataDir: string, work: (connectionString: string) => Promise<T>): Promise<T> {
  const isNew = mkdirSync(dataDir, { recursive: true, mode: 0o700 }) !== undefined;
  const unlock = lockFolder(dataDir, LOCK);
  try {
    return await fill(dataDir, work);
  } finally {
    unlock();
    if (isNew && readdirSync(dataDir).length === 0) rmdirSync(dataDir);
  }
}

async function fill<T>(dataDir: string, work: (connectionString: string) => Promise<T>): Promise<T> {
  const cluster = clusterIn(dataDir);
  if (existsSync(cluster)) {
    throw new Error(`${cluster} is a database already: choose a new DATA_DIR. Nothing was changed.`);
  }
  const draft = unfinishedIn(dataDir);
  // The server of a killed process may still be running in that place.
  await clearLeftover(clusterIn(draft));
  rmSync(draft, { recursive: true, force: true });
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: draft });
    let result: T;
    try {
      result = await work(postgres.connectionString);
    } finally {
      await postgres.stop();
    }
    renameSync(clusterIn(draft), cluster);
    return result;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
