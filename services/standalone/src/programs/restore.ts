import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { BackupError, BackupFolder, readKeyFile } from '@paper/backup';
import type { BackupKeys, Restored } from '@paper/backup';
import { interruption, report, runCommand, showProgress } from '@paper/commands';
import type { Given } from '@paper/commands';
import { defaultBackupDir } from '@paper/names';
import { withoutFormerNames, withSecretFiles, writePrivateFile } from '@paper/runtime';
import { fillNewCluster } from '@paper/embedded-postgres';
import { createEventStoreJournal } from '@paper/journal';
import { restoreInto } from '../restore.ts';

/** `npm run restore`: a backup into an empty database. Exit code 2, or 130 after Ctrl-C: nothing was restored. */
interface Options {
  readonly erasures?: readonly string[];
  readonly json?: true;
  readonly revokeKeys?: true;
}

/** The file that lists the keys that work again. */
const KEYS_FILE = 'restored-keys.txt';

await runCommand<Options>('restore', restore);

async function restore({ args, options }: Given<Options>): Promise<void> {
  const env = withSecretFiles(withoutFormerNames(process.env), ['DATABASE_URL', 'JOURNAL_URL']);
  const dataDir = path.resolve(env['DATA_DIR'] ?? './data');
  const begunMs = performance.now();
  const backups = new BackupFolder(env['BACKUP_DIR'] || defaultBackupDir(dataDir));
  const folder = args[0]?.toString() ?? backups.list()[0]?.folder;
  if (folder === undefined) throw new BackupError(`There is no backup in ${backups.folder}: name its folder.`);
  const keyFile = env['BACKUP_KEY_FILE'] || null;
  const keys: BackupKeys | null = keyFile === null ? null : await readKeyFile(keyFile);
  const journal = await openEventStore(env);
  const progress = showProgress();
  progress.show('restoring', 0, 0);
  const interrupting = interruption();
  const fill = (connectionString: string): Promise<Restored> =>
    restoreInto({
      connectionString,
      eventStore: journal === null ? null : { journal, shard: env['SHARD'] || 'main' },
      erasuresIn: [path.dirname(path.resolve(folder)), backups.folder, ...(options.erasures ?? [])],
      folder,
      keys,
      onProgress: progress.show,
      revokesKeys: options.revokeKeys === true,
    });
  try {
    const given = env['DATABASE_URL'] ?? '';
    const restored = await (given === '' ? fillNewCluster(dataDir, fill) : fill(given));
    progress.clear();
    // A container that restores into DATABASE_URL has no folder except that of the backups.
    const place = given === '' ? dataDir : backups.folder;
    reportRestored(restored, { ...options, place, folder, seconds: (performance.now() - begunMs) / 1000 });
  } catch (error) {
    // Ctrl-C in a terminal also ends initdb, whose failure may come just before the signal.
    await setImmediate();
    interrupting.throwIfAborted();
    throw error;
  } finally {
    progress.clear();
    await journal?.close();
  }
}

async function openEventStore(env: NodeJS.ProcessEnv) {
  const connectionString = env['JOURNAL_URL'] ?? '';
  return connectionString === '' ? null : createEventStoreJournal({ connectionString, shard: env['SHARD'] || 'main' });
}

interface Run extends Options {
  /** The folder for the list of keys. */
  readonly place: string;
  readonly folder: string;
  readonly seconds: number;
}

function reportRestored(restored: Restored, { place, folder, seconds, ...options }: Run): void {
  const { erased, heads, keys, manifest } = restored;
  const keyLines =
    options.revokeKeys === true
      ? [`Keys that were revoked: ${keys.length}. Their owners need new ones.`]
      : [
          `Keys issued before the backup, which work again, also those revoked since: ${keys.length}.`,
          `They are listed in ${listed(keys, place)}: key, account, permissions.`,
          'To revoke all of them, restore with --revoke-keys; to revoke one: DELETE /api/operator/keys/{id}.',
        ];
  report(
    options,
    { folder, takenAt: manifest.takenAt, heads, erased, keys },
    ...manifest.heads.map(
      ({ hash, seq, shard }) =>
        `Restored ${folder} of ${manifest.takenAt}: journal ${shard} to event ${seq} with ${hash}.`,
    ),
    `It took ${seconds.toFixed(1)} s. All sessions have ended. Read models are folded when the service starts.`,
    `Accounts that were deleted after the backup, and are now again: ${erased.length}.`,
    ...keyLines,
    'Prove it now, names and people too: npm run audit -- verify --no-read-models. Then start the service.',
  );
}

function listed(keys: Restored['keys'], place: string): string {
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const lines = keys.map(({ accountId, keyId, permissions }) => `${keyId}  ${accountId}  ${permissions.join(' ')}\n`);
  const file = path.join(place, KEYS_FILE);
  writePrivateFile(file, lines.join(''));
  return file;
}
