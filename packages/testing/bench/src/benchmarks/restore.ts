import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withClient } from '@paper/runtime';
import { runCommand } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import { figure, megabytes, percent, printBar, printTable, seconds, startPostgres } from '../index.ts';
import { fillDatabase } from '../fixtures/journal.ts';

/**
 * Measures `npm run backup`, a second backup after 1 % more events, `npm run restore`, how long the service then takes
 * until it serves, and the disk space of events. Option: number of events (default 1,000,000).
 */
const EVENTS = Number(process.argv[2] ?? 1_000_000);
const ACCOUNTS = EVENTS / 50;
const MARKETS = 1_000;
/** The time limit for a million events, on two cores that other programs use too. */
const RESTORED_WITHIN_MS = 180_000;
const MORE = EVENTS / 100;
/** The largest size of the second backup, as a part of the first: it has new events, and all names and the manifest. */
const SECOND_OF_FIRST_AT_MOST = 0.1;

const home = mkdtempSync(path.join(tmpdir(), 'paper-restore-'));
const backupDir = path.join(home, 'backups');
const dataDir = path.join(home, 'restored');
const postgres = await startPostgres({ synchronous_commit: 'off' });
try {
  const { connectionString } = postgres;
  const filled = await fillDatabase(connectionString, { accounts: ACCOUNTS, events: EVENTS, markets: MARKETS });
  const { seq } = filled.head;
  const disk = await diskOf(connectionString);

  console.error('backing up …');
  const backUp = () => timed(postgres.serviceDir, ['backup', '--json'], { DATABASE_URL: connectionString });
  const backup = await backUp();
  const backupBytes = bytesOnDisk();
  await filled.tradeUntil(seq + MORE);
  await filled.close();
  console.error('backing up again …');
  const second = await backUp();
  const secondBytes = bytesOnDisk() - backupBytes;
  console.error('restoring …');
  const { folder } = JSON.parse(second.stdout) as { readonly folder: string };
  const restore = await timed(dataDir, ['restore', folder], { DATABASE_URL: '' });
  console.error('starting the service on it …');
  const begunMs = performance.now();
  const service = await startStandalone({ dataDir, env: { DEMO: 'off' } });
  const servesMs = performance.now() - begunMs;
  await service.stop();

  console.log(`${figure(seq)} events, ${figure(ACCOUNTS)} accounts, ${figure(MARKETS)} markets\n`);
  const row = printTable(['step'], ['duration', 'events/s']);
  for (const [what, ms] of [
    ['npm run backup', backup.ms],
    ['npm run backup after 1 % more events', second.ms],
    ['npm run restore', restore.ms],
    ['npm start on it, until it serves', servesMs],
  ] as const) {
    row(what, seconds(ms), figure((1_000 * (what.endsWith('more events') ? MORE : seq)) / ms));
  }
  console.log('');
  const size = printTable(['on disk'], ['all', 'bytes an event']);
  for (const [what, bytes] of [...disk, ['backup, compressed', backupBytes]] as const) {
    size(what, megabytes(bytes), figure(bytes / seq));
  }
  size('second backup, what it adds', megabytes(secondBytes), figure(secondBytes / MORE));
  console.log('');
  printBar('second backup of the first', secondBytes / backupBytes, { atMost: SECOND_OF_FIRST_AT_MOST }, percent);
  printBar('npm run restore', restore.ms, { atMost: RESTORED_WITHIN_MS }, seconds);
} finally {
  await postgres.stop();
  rmSync(home, { recursive: true, force: true });
}

/** The bytes of all backups. Each file counts once, however many folders have a link to it. */
function bytesOnDisk(): number {
  const files = readdirSync(backupDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const sizes = files.map((entry) => {
    const { ino, size } = statSync(path.join(entry.parentPath, entry.name));
    return [ino, size] as const;
  });
  return [...new Map(sizes).values()].reduce((sum, size) => sum + size, 0);
}

async function timed(folder: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const begunMs = performance.now();
  const { code, output, stdout } = await runCommand(args, folder, { ...env, BACKUP_DIR: backupDir });
  if (code !== 0) throw new Error(`npm run ${args.join(' ')}: exit code ${code}\n${output}`);
  return { ms: performance.now() - begunMs, stdout };
}

/** The bytes of the journal and of the read models, with their indexes. */
async function diskOf(connectionString: string) {
  return withClient({ connectionString }, async (client) => {
    const { rows } = await client.query<{ name: string; bytes: string }>(
      `select case when nspname = 'journal' then 'journal' else 'read models' end as name,
              sum(pg_total_relation_size(c.oid)) as bytes
       from pg_class c join pg_namespace n on n.oid = relnamespace
       where relkind = 'r' and (nspname = 'journal' or nspname like 'read%') group by 1 order by 1`,
    );
    return rows.map(({ bytes, name }) => [name, Number(bytes)] as const);
  });
}
