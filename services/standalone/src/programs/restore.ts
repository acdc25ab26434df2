import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { BackupError, BackupFolder, readKeyFile } from '@paper/backup';
import type { BackupKeys, Restored } from '@paper/backup';
import { usualBackupDir } from '@paper/names';
import { print, withoutFormerNames, withSecretFiles, writePrivateFile } from '@paper/runtime';
import { fillNewCluster } from '@paper/embedded-postgres';
import { createEventStoreJournal } from '@paper/journal';
import { orExitCode2, showProgress } from '@paper/operator-cli';
import { Command } from 'commander';
import { restoreInto } from '../restore.ts';

/**
 * `npm run restore` restores a backup into an empty database: that of DATABASE_URL, else a new one in DATA_DIR; with
 * JOURNAL_URL the journal into an empty EventStoreDB. Exit code 2, or 130 after Ctrl-C: nothing was restored, with the
 * reason on standard error.
 */
interface Options {
  readonly erasures: readonly string[];
  readonly json?: true;
  readonly revokeKeys?: true;
}

const program = new Command('restore')
  .description(
    'Restore a backup into an empty place: DATABASE_URL, else a new database in DATA_DIR; with JOURNAL_URL the journal ' +
      'into an empty EventStoreDB. No service may run on it. BACKUP_KEY_FILE: the key of encrypted backups.',
  )
  .argument('[folder]', 'the backup (default: the newest of BACKUP_DIR)')
  .option('--revoke-keys', 'revoke every API key that was issued before the backup')
  .option('--erasures <folder>', 'a further folder with an erasures.ndjson; can be repeated', collect, [])
  .option('--json', 'print the outcome for programs')
  .parse();

const options = program.opts<Options>();
const env = withSecretFiles(withoutFormerNames(process.env), ['DATABASE_URL', 'JOURNAL_URL']);
const dataDir = path.resolve(env['DATA_DIR'] ?? './data');

await orExitCode2(restore);

async function restore(): Promise<void> {
  const begunMs = performance.now();
  const backups = new BackupFolder(env['BACKUP_DIR'] || usualBackupDir(dataDir));
  const folder = program.args[0] ?? backups.list()[0]?.folder;
  if (folder === undefined) throw new BackupError(`There is no backup in ${backups.folder}: name its folder.`);
  const keyFile = env['BACKUP_KEY_FILE'] || null;
  const keys: BackupKeys | null = keyFile === null ? null : await readKeyFile(keyFile);
  const journal = await openEventStore();
  const progress = showProgress(
    journal === null
      ? 'nothing was restored'
      : 'repeat it before a service starts, since it has begun to fill EventStoreDB',
  );
  const fill = (connectionString: string): Promise<Restored> =>
    restoreInto({
      connectionString,
      eventStore: journal === null ? null : { journal, shard: env['SHARD'] || 'main' },
      erasuresIn: [path.dirname(path.resolve(folder)), backups.folder, ...options.erasures],
      folder,
      keys,
      onProgress: progress.show,
      revokesKeys: options.revokeKeys === true,
    });
  try {
    const given = env['DATABASE_URL'] ?? '';
    const restored = await (given === '' ? fillNewCluster(dataDir, fill) : fill(given));
    progress.clear();
    // A container that restores into DATABASE_URL has no folder but the backups.
    const place = given === '' ? dataDir : backups.folder;
    report(restored, folder, place, (performance.now() - begunMs) / 1000);
  } catch (error) {
    // Ctrl-C in a terminal also ends initdb, whose failure may come just before the signal.
    await setImmediate();
    progress.interrupted.throwIfAborted();
    throw error;
  } finally {
    progress.clear();
    await journal?.close();
  }
}

async function openEventStore() {
  const connectionString = env['JOURNAL_URL'] ?? '';
  return connectionString === '' ? null : createEventStoreJournal({ connectionString, shard: env['SHARD'] || 'main' });
}

function report({ erased, heads, keys, manifest }: Restored, folder: string, place: string, seconds: number): void {
  if (options.json === true) {
    print(JSON.stringify({ folder, takenAt: manifest.takenAt, heads, erased, keys }));
    return;
  }
  for (const { hash, seq, shard } of manifest.heads) {
    print(`Restored ${folder} of ${manifest.takenAt}: journal ${shard} to event ${seq} with ${hash}.`);
  }
  print(`It took ${seconds.toFixed(1)} s. All sessions have ended. Read models are folded when the service starts.`);
  print(`Accounts that were deleted after the backup, and are now again: ${erased.length}.`);
  if (options.revokeKeys === true) {
    print(`Keys that were revoked: ${keys.length}. Their owners need new ones.`);
  } else {
    print(`Keys issued before the backup, which work again, also those revoked since: ${keys.length}.`);
    print(`They are listed in ${listed(keys, place)}: key, account, permissions.`);
    print('To revoke all of them, restore with --revoke-keys; to revoke one: DELETE /api/operator/keys/{id}.');
  }
  print('Prove it now, names and people too: npm run audit -- verify --no-read-models. Then start the service.');
}

/** Writes the keys to a file for its owner alone, one a line. Gives its path. */
function listed(keys: Restored['keys'], folder: string): string {
  const file = path.join(folder, 'restored-keys.txt');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lines = keys.map(({ accountId, keyId, permissions }) => `${keyId}  ${accountId}  ${permissions.join(' ')}\n`);
  writePrivateFile(file, lines.join(''));
  return file;
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
