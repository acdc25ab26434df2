import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIfPresent, StartRefused } from '@paper/runtime';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';

/** The superuser of an embedded cluster. Its password is generated, and stored in the cluster's folder, mode 600. */
export const SUPERUSER = 'paper';
const PASSWORD_FILE = 'paper-password';

export const SERVER_ENV = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Returns the superuser's password; creates a missing cluster by a rename. Throws StartRefused if files are lost. */
export function ensureCluster(folder: string, binaries: Binaries, account: Account, durable: boolean): string {
  if (!existsSync(folder)) create(folder, binaries, account, durable);
  const password = readIfPresent(join(folder, PASSWORD_FILE));
  if (password !== null) return password;
  throw new StartRefused(
    `The database in ${folder} is not whole: it has no file ${PASSWORD_FILE}. ` +
      'Put a whole copy in its place, or move it away and restore a backup: npm run restore -- FOLDER.',
  );
}

function create(folder: string, binaries: Binaries, account: Account, durable: boolean): void {
  const workshop = `${folder}.new`;
  const cluster = join(workshop, 'cluster');
  const password = join(workshop, 'password');
  rmSync(workshop, { recursive: true, force: true });
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  writeFileSync(password, randomBytes(24).toString('hex'), { mode: 0o600 });
  for (const path of [workshop, cluster, password]) account.own(path);
  const made = spawnSync(
    binaries.initdb,
    [
      `--pgdata=${account.pathOf(cluster)}`,
      `--username=${SUPERUSER}`,
      '--pwfile=../password',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--no-locale',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ],
    { cwd: cluster, env: SERVER_ENV, encoding: 'utf8', ...(account.ids ?? {}) },
  );
  if (made.error !== undefined) throw made.error;
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr.trim() || made.stdout.trim()}`);
  renameSync(password, join(cluster, PASSWORD_FILE));
  renameSync(cluster, folder);
  rmSync(workshop, { recursive: true });
}
