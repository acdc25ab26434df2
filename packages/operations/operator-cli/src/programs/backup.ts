import { BackupFolder, readKeyFile, takeBackup, writeNewKey } from '@paper/backup';
import type { StoredBackup } from '@paper/backup';
import { usualBackupDir } from '@paper/names';
import { createEventStoreJournal } from '@paper/journal';
import { Command, InvalidArgumentError } from 'commander';
import { print, printError } from '@paper/runtime';
import { orExitCode2 } from '../exit-code.ts';
import { journalSettings, openDatabase } from '../journal-source.ts';
import { showProgress } from '../progress.ts';

/**
 * `npm run backup` copies journal, display names and identity into a new folder of BACKUP_DIR, with or without a
 * running service. Exit code 2: no backup was made, with the reason on standard error.
 */
interface Options {
  readonly json?: true;
  readonly keepDays: number;
  readonly list?: true;
  readonly newKey?: string;
}

const options = new Command('backup')
  .description(
    'Copy journal, display names and identity into a new folder of BACKUP_DIR (default: DATA_DIR-backups); a running ' +
      'service goes on meanwhile. BACKUP_KEY_FILE: encrypt to the keys (age) of this file.',
  )
  .option('--keep-days <days>', 'delete backups that are older, but never the newest', days, 30)
  .option('--list', 'list the backups, the newest first, and make none')
  .option('--new-key <file>', 'make a key for BACKUP_KEY_FILE, and no backup')
  .option('--json', 'print the manifest')
  .parse()
  .opts<Options>();

await orExitCode2(() => {
  if (options.newKey !== undefined) return makeKey(options.newKey);
  const backups = new BackupFolder(process.env['BACKUP_DIR'] || usualBackupDir(process.env['DATA_DIR'] ?? './data'));
  return options.list === true ? list(backups) : backup(backups);
});

async function makeKey(file: string): Promise<void> {
  const recipient = await writeNewKey(file);
  print(`The key is in ${file}. Store a copy apart from the backups: without it they cannot be read.`);
  print(`Its public key, enough for making backups: ${recipient}`);
}

function list(backups: BackupFolder): Promise<void> {
  const found = backups.list();
  if (found.length === 0) print(`There is no backup in ${backups.folder}.`);
  for (const stored of found) print(describe(stored));
  return Promise.resolve();
}

async function backup(backups: BackupFolder): Promise<void> {
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
      const progress = showProgress('no backup was made');
      const stored = await takeBackup({
        ...{ backups, connectionString, eventStore, keys },
        onProgress: progress.show,
      }).finally(progress.clear);
      report(stored, begunMs);
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

function report(stored: StoredBackup, begunMs: number): void {
  if (options.json === true) {
    print(JSON.stringify({ folder: stored.folder, ...stored.manifest }));
    return;
  }
  const seconds = ((performance.now() - begunMs) / 1000).toFixed(1);
  print(`${describe(stored)}, in ${seconds} s`);
  if (stored.manifest.encrypted) return;
  printError('It is not encrypted: it holds names, e-mail addresses and hashes of passwords (BACKUP_KEY_FILE).');
}

function describe({ folder, manifest }: StoredBackup): string {
  const { encrypted, heads, parts, tables } = manifest;
  const megabytes = ([...tables, ...parts].reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1);
  const ends = heads.map(({ hash, seq, shard }) => `${shard} to event ${seq} (${hash.slice(0, 12)}…)`).join(', ');
  return `${folder}: ${ends}, ${megabytes} MB${encrypted ? ', encrypted' : ''}`;
}

function days(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= 36_500) return number;
  throw new InvalidArgumentError('It is a whole number of days, at least 1.');
}
