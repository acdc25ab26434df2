import path from 'node:path';
import { BackupError, BackupFolder, readKeyFile } from '@paper/backup';
import type { BackupKeys, Restored } from '@paper/backup';
import { usualBackupDir } from '@paper/names';
import { print, printError, withoutFormerNames, withSecretFiles } from '@paper/runtime';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import { createEventStoreJournal } from '@paper/journal';
import { Command } from 'commander';
import { restoreInto } from '../restore.ts';

/**
 * `npm run restore` restores a backup into an empty database: that of DATABASE_URL, else a new one in DATA_DIR; with
 * JOURNAL_URL the journal into an empty EventStoreDB. Exit code 2: nothing was restored, with the reason on standard
 * error.
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

try {
  await restore();
} catch (error) {
  printError(error);
  process.exitCode = 2;
}

async function restore(): Promise<void> {
  const begunMs = performance.now();
  const backups = new BackupFolder(env['BACKUP_DIR'] || usualBackupDir(dataDir));
  const folder = program.args[0] ?? backups.list()[0]?.folder;
  if (folder === undefined) throw new BackupError(`There is no backup in ${backups.folder}: name its folder.`);
  const keyFile = env['BACKUP_KEY_FILE'] || null;
  const keys: BackupKeys | null = keyFile === null ? null : await readKeyFile(keyFile);
  const database = await openDatabase();
  try {
    const journal = await openEventStore();
    try {
      const restored = await restoreInto({
        connectionString: database.connectionString,
        eventStore: journal === null ? null : { journal, shard: env['SHARD'] || 'main' },
        erasuresIn: [path.dirname(path.resolve(folder)), backups.folder, ...options.erasures],
        folder,
        keys,
        revokesKeys: options.revokeKeys === true,
      });
      report(restored, folder, (performance.now() - begunMs) / 1000);
    } finally {
      await journal?.close();
    }
  } finally {
    await database.release();
  }
}

async function openDatabase(): Promise<{ readonly connectionString: string; readonly release: () => Promise<void> }> {
  const given = env['DATABASE_URL'] ?? '';
  if (given !== '') return { connectionString: given, release: () => Promise.resolve() };
  const postgres = await startEmbeddedPostgres({ dataDir });
  return { connectionString: postgres.connectionString, release: () => postgres.stop() };
}

async function openEventStore() {
  const connectionString = env['JOURNAL_URL'] ?? '';
  return connectionString === '' ? null : createEventStoreJournal({ connectionString, shard: env['SHARD'] || 'main' });
}

function report({ erased, heads, keys, manifest }: Restored, folder: string, seconds: number): void {
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
    for (const { accountId, keyId, permissions } of keys) print(`  ${keyId}  ${accountId}  ${permissions.join(' ')}`);
    print('To revoke all of them, restore with --revoke-keys; to revoke one: DELETE /api/operator/keys/{id}.');
  }
  print('Prove it now, names and people too: npm run audit -- verify --no-read-models. Then start the service.');
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
