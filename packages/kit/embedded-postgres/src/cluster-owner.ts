import { closeSync, constants, fchownSync, fstatSync, lchownSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { printError, StartRefused } from '@paper/runtime';
import type { Account } from './account.ts';
import { clusterIn } from './data-folder.ts';

/** The file that marks a folder as a cluster. */
const CLUSTER_FILE = 'PG_VERSION';

/** Throws StartRefused for a cluster of another user, which Postgres does not serve; root starts it as the owner. */
export function assertOwnCluster(dataDir: string): void {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  const cluster = clusterIn(dataDir);
  const found = lstatSync(join(cluster, CLUSTER_FILE), { throwIfNoEntry: false });
  const folder = lstatSync(cluster, { throwIfNoEntry: false });
  const owner = found !== undefined && found.uid !== uid ? found.uid : folder?.uid;
  if (uid === 0 || uid === undefined || owner === undefined || owner === uid) return;
  throw new StartRefused(
    `The database in ${dataDir} belongs to user ${owner}, and this process is user ${uid}. ` +
      `Start it as that user, or give the folder to this one: sudo chown -R ${uid}:${gid} '${dataDir}'`,
  );
}

/**
 * Gives each file of a cluster that root has copied to the server's account, and prints that. Meanwhile the cluster's
 * user could put a link in the place of a folder, so folders are opened without following links, and their files are
 * reached through the open folder. A file with several hard links is left alone.
 */
export function repairOwner(cluster: string, { ids }: Account): void {
  const isCluster = lstatSync(join(cluster, CLUSTER_FILE), { throwIfNoEntry: false })?.isFile() === true;
  // A link in place of the cluster leads to a folder that another user manages.
  if (ids === null || !isCluster || lstatSync(cluster).isSymbolicLink()) return;
  const given = giveFolder(cluster, ids);
  if (given === 0) return;
  printError(
    `${cluster} had ${given} files of another owner. They belong to user ${ids.uid} now, as which Postgres runs.`,
  );
}

type Ids = NonNullable<Account['ids']>;

/** Returns how many files and folders were given away. The folder itself comes last. */
function giveFolder(path: string, ids: Ids): number {
  let given = 0;
  const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const open = process.platform === 'linux' ? `/proc/self/fd/${folder}` : path;
    for (const entry of readdirSync(open, { withFileTypes: true })) {
      const within = join(open, entry.name);
      given += unlessGone(() => (entry.isDirectory() ? giveFolder(within, ids) : giveFile(within, ids)));
    }
    if (fstatSync(folder).uid !== ids.uid) {
      fchownSync(folder, ids.uid, ids.gid);
      given += 1;
    }
  } finally {
    closeSync(folder);
  }
  return given;
}

/** Returns 0 if the file is gone: a former server that is still stopping removes some files. */
function unlessGone(give: () => number): number {
  try {
    return give();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

function giveFile(path: string, { uid, gid }: Ids): number {
  const found = lstatSync(path);
  if (found.uid === uid || found.nlink > 1) return 0;
  lchownSync(path, uid, gid);
  return 1;
}
