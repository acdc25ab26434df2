import { BackupFolder, readKeyFile, takeBackup, writeNewKey } from '@paper/backup';
import type { StoredBackup } from '@paper/backup';
import { defaultBackupDir } from '@paper/names';
import { createEventStoreJournal } from '@paper/journal';
import { interruption, report, runCommand, showProgress } from '@paper/commands';
import { printError } from '@paper/runtime';
import { journalSettings, openDatabase } from '../journal-source.ts';

/** `npm run backup` copies journal, names and identity, with or without a running service. Exit code 2: no backup. */
interface Options {
  readonly json?: true;
  readonly keepDays: number;
  readonly list?: true;
  readonly newKey?: string;
}

await runCommand<Options>('backup', ({ options }) => {
  if (options.newKey !== undefined) return makeKey(options.newKey, options);
  const backups = new BackupFolder(process.env['BACKUP_DIR'] || defaultBackupDir(process.env['DATA_DIR'] ?? './data'));
  return options.list === true ? list(backups, options) : backup(backups, options);
});

async function makeKey(file: string, options: Options): Promise<void> {
  const recipient = await writeNewKey(file);
  report(
    options,
    { file, recipient },
    `The key is in ${file}. Store a copy apart from the backups: without it they cannot be read.`,
    `Its public key, enough for making backups: ${recipient}`,
  );
}

function list(backups: BackupFolder, options: Options): Promise<void> {
  const found = backups.list();
  const lines = found.length === 0 ? [`There is no backup in ${backups.folder}.`] : found.map(describe);
  report(options, found.map(factsOf), ...lines);
  return Promise.resolve();
}

async function backup(backups: BackupFolder, options: Options): Promise<void> {
  const begunMs = performance.now();
  const keyFile = process.env['BACKUP_KEY_FILE'] || null;
  const keys = keyFile === null ? null : await readKeyFile(keyFile);
  const { eventStoreUrl, shard } = journalSettings();
  const { connectionString, release } = await openDatabase('nothing to back up');
  try {
    const journal =
      eventStoreUrl === undefined ? null : await createEventStoreJournal({ connectionString: eventStoreUrl, shard });
    try {
      const eventStore = journal === null ? null : { journal, shard };
      const progress = showProgress();
      progress.show('copying', 0, 0);
      // After Ctrl-C the backup removes the files that it has written, and the process waits for that.
      interruption();
      const stored = await takeBackup({
        ...{ backups, connectionString, eventStore, keys },
        onProgress: progress.show,
      }).finally(progress.clear);
      reportStored(stored, begunMs, options);
    } finally {
      await journal?.close();
    }
  } finally {
    await release();
  }
  for (const folder of backups.expire(options.keepDays, new Date())) {
    printError(`Deleted, older than ${options.keepDays} days: ${folder}`);
  }
}

function reportStored(stored: StoredBackup, begunMs: number, options: Options): void {
  const seconds = ((performance.now() - begunMs) / 1000).toFixed(1);
  report(options, factsOf(stored), `${describe(stored)}, in ${seconds} s`);
  if (stored.manifest.encrypted) return;
  printError('It is not encrypted: it holds names, e-mail addresses and hashes of passwords (BACKUP_KEY_FILE).');
}

function factsOf({ folder, manifest }: StoredBackup) {
  return { folder, ...manifest };
}

function describe({ folder, manifest }: StoredBackup): string {
  const { encrypted, heads, parts, tables } = manifest;
  const megabytes = ([...tables, ...parts].reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1);
  const ends = heads.map(({ hash, seq, shard }) => `${shard} to event ${seq} (${hash.slice(0, 12)}…)`).join(', ');
  return `${folder}: ${ends}, ${megabytes} MB${encrypted ? ', encrypted' : ''}`;
}
