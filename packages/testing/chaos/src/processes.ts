import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** The pid of the Postgres that runs in this data folder; null if none runs. */
export function postmasterOf(dataDir: string): number | null {
  const cluster = path.join(dataDir, 'postgres');
  const [line = ''] = tryRead(path.join(cluster, 'postmaster.pid')).split('\n');
  const pid = Number(line);
  return pid > 0 && isPostgresIn(pid, cluster) ? pid : null;
}

/** One for each connection, and its writers, cleaners and checkpointer. */
export function backendsOf(postmaster: number): number[] {
  return tryRead(`/proc/${postmaster}/task/${postmaster}/children`).split(' ').filter(Boolean).map(Number);
}

/** The processes that still run in or for this data folder: servers by their working directory, others by DATA_DIR. */
export function leftoversOf(dataDir: string): number[] {
  const cluster = path.join(dataDir, 'postgres');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => isPostgresIn(pid, cluster) || hasDataDir(pid, dataDir));
}

/** Sends SIGKILL. Returns whether the process existed. */
export function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

function hasDataDir(pid: number, dataDir: string): boolean {
  return tryRead(`/proc/${pid}/environ`).split('\0').includes(`DATA_DIR=${dataDir}`);
}

function isPostgresIn(pid: number, cluster: string): boolean {
  try {
    return (
      path.basename(readlinkSync(`/proc/${pid}/exe`)) === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === cluster
    );
  } catch {
    return false;
  }
}

/** Returns an empty text if the file cannot be read: the process may end at any moment. */
function tryRead(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
