import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withClient } from '@paper/runtime';
import { runCommand } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import { figure, megabytes, printBar, printTable, seconds, startPostgres } from '../index.ts';
import { fillDatabase } from '../fixtures/journal.ts';

/**
 * Measures `npm run backup` and `npm run restore` of a journal of 1,000,000 events, as commands with their start; then
 * how long the service takes until it serves the restored data; and the disk that events need. Option: number of
 * events.
 */
const EVENTS = Number(process.argv[2] ?? 1_000_000);
const ACCOUNTS = EVENTS / 50;
const MARKETS = 1_000;
/** A million events, on two cores that others use too. */
const RESTORED_WITHIN_MS = 180_000;

const home = mkdtempSync(path.join(tmpdir(), 'paper-restore-'));
const backupDir = path.join(home, 'backups');
const dataDir = path.join(home, 'restored');
const postgres = await startPostgres({ synchronous_commit: 'off' });
try {
  const { connectionString } = postgres;
  const { seq } = await fillDatabase(connectionString, { accounts: ACCOUNTS, events: EVENTS, markets: MARKETS });
  const disk = await diskOf(connectionString);

  console.error('backing up …');
  const backup = await timed(postgres.serviceDir, ['backup', '--json'], { DATABASE_URL: connectionString });
  const { tables } = JSON.parse(backup.output) as { readonly tables: readonly { readonly bytes: number }[] };
  const backupBytes = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  console.error('restoring …');
  const [folder = ''] = readdirSync(backupDir);
  const restore = await timed(dataDir, ['restore', path.join(backupDir, folder)], { DATABASE_URL: '' });
  console.error('starting the service on it …');
  const begunMs = performance.now();
  const service = await startStandalone({ dataDir, env: { DEMO: 'off' } });
  const servesMs = performance.now() - begunMs;
  await service.stop();

  console.log(`${figure(seq)} events, ${figure(ACCOUNTS)} accounts, ${figure(MARKETS)} markets\n`);
  const row = printTable(['step'], ['duration', 'events/s']);
  for (const [what, ms] of [
    ['npm run backup', backup.ms],
    ['npm run restore', restore.ms],
    ['npm start on it, until it serves', servesMs],
  ] as const) {
    row(what, seconds(ms), figure((1_000 * seq) / ms));
  }
  console.log('');
  const size = printTable(['on disk'], ['all', 'bytes an event']);
  for (const [what, bytes] of [...disk, ['backup, compressed', backupBytes]] as const) {
    size(what, megabytes(bytes), figure(bytes / seq));
  }
  console.log('');
  printBar('npm run restore', restore.ms, { atMost: RESTORED_WITHIN_MS }, seconds);
} finally {
  await postgres.stop();
  rmSync(home, { recursive: true, force: true });
}

async function timed(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly ms: number; readonly output: string }> {
  const begunMs = performance.now();
  const { code, output } = await runCommand(args, folder, { ...env, BACKUP_DIR: backupDir });
  if (code !== 0) throw new Error(`npm run ${args.join(' ')}: exit code ${code}\n${output}`);
  return { ms: performance.now() - begunMs, output };
}

/** Bytes of the journal and of the read models, with their indexes. */
async function diskOf(connectionString: string): Promise<readonly (readonly [what: string, bytes: number])[]> {
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
