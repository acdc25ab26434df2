import { chownSync, readFileSync, statSync } from 'node:fs';

/** The operating system user that runs the server, and how that user reaches the data folder. */
export interface Account {
  readonly ids: { readonly uid: number; readonly gid: number } | null;
  /** The path by which the server reaches a folder. The server must run with that folder as its working directory. */
  pathOf(folder: string): string;
  own(path: string): void;
}

/**
 * Chooses the user for the server. Postgres refuses to run as root: started by root it runs as the owner of the
 * cluster, or as `nobody` for a new one. That user may have no access to the folder's parents (a clone in root's home
 * of mode 700). So the folder becomes the working directory before the rights are dropped, and is reached as
 * /proc/self/cwd.
 */
export function accountFor(clusterFolder: string): Account {
  if (process.getuid?.() !== 0) return { ids: null, pathOf: (folder) => folder, own: () => undefined };
  const owner = statSync(clusterFolder, { throwIfNoEntry: false });
  const ids = owner !== undefined && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobody();
  return {
    ids,
    pathOf: (folder) => (process.platform === 'linux' ? '/proc/self/cwd' : folder),
    own: (path) => chownSync(path, ids.uid, ids.gid),
  };
}

function nobody(): { uid: number; gid: number } {
  const line = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return { uid: Number(line?.[1] ?? 65534), gid: Number(line?.[2] ?? 65534) };
}
