import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import { openJournal } from '@paper/journal';
import { eventually, runCommand, testDatabase } from '@paper/testkit';
import { expect } from 'chai';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const BACKUP = path.join(import.meta.dirname, 'former-backup');

describe('a restore into a new data folder', function () {
  this.timeout(120_000);
  const home = mkdtempSync(path.join(tmpdir(), 'restore-beside-'));
  let dataDir: string;
  beforeEach(() => {
    dataDir = path.join(mkdtempSync(path.join(home, 'place-')), 'data');
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  /** Begins a restore, and sends it the signal while its cluster is being filled. */
  const cutOff = async (signal: NodeJS.Signals): Promise<{ code: number | null; output: string }> => {
    const child = spawn(process.execPath, [path.join(ROOT, 'scripts/run.mjs'), 'restore', BACKUP], {
      cwd: ROOT,
      env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', JOURNAL_URL: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const closed = once(child, 'close');
    await eventually('the cluster is filled', () =>
      existsSync(path.join(dataDir, 'postgres.unfinished/postgres.json')),
    );
    child.kill(signal);
    await closed;
    return { code: child.exitCode, output };
  };

  it('leaves nothing where it is refused', async () => {
    const damaged = path.join(home, 'damaged');
    cpSync(BACKUP, damaged, { recursive: true });
    appendFileSync(path.join(damaged, 'portal.people.copy.gz'), 'x');
    const { code, output } = await runCommand(['restore', damaged], dataDir);
    expect([code, existsSync(dataDir)], output).to.deep.equal([2, false]);
    expect(output).to.include('portal.people.copy.gz was changed');
  });

  it('leaves nothing at Ctrl-C, says so, and ends with 130', async () => {
    const { code, output } = await cutOff('SIGINT');
    expect([code, existsSync(dataDir)], output).to.deep.equal([130, false]);
    expect(output).to.include('Interrupted. Nothing');
  });

  it('is not served where it was killed, and is repeated; it counts the keys, and lists them in a file', async () => {
    expect((await cutOff('SIGKILL')).code).to.equal(null);
    const start = await runCommand(['start', '--port', '0', '--metrics-port', '0'], dataDir);
    expect(start.code, start.output).to.equal(2);
    expect(start.output).to.include(
      `${dataDir} has a database whose restore was cut off. Repeat it: npm run restore -- FOLDER.`,
    );
    expect(existsSync(path.join(dataDir, 'postgres'))).to.equal(false);

    const restored = await runCommand(['restore', BACKUP], dataDir);
    expect(restored.code, restored.output).to.equal(0);
    const list = path.join(dataDir, 'restored-keys.txt');
    const keys = readFileSync(list, 'utf8').trimEnd().split('\n');
    expect(statSync(list).mode & 0o777).to.equal(0o600);
    expect(restored.output).to.include(`which work again, also those revoked since: ${keys.length}.`);
    expect(restored.output).to.include(list);
    expect(keys[0]).to.match(/^[0-9a-f-]{36} {2}[0-9a-f-]{36} {2}\w+/);
    expect(restored.output).not.to.include(keys[0]?.slice(0, 36));
    expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres'))).to.deep.equal(['postgres']);

    const postgres = await startEmbeddedPostgres({ dataDir });
    const journal = await openJournal({ databaseUrl: postgres.connectionString });
    expect((await journal.head()).seq).to.equal(65);
    await journal.close();
    await postgres.stop();
    const again = await runCommand(['restore', BACKUP], dataDir);
    expect(again.code, again.output).to.equal(2);
    expect(again.output).to.include('is a database already: choose a new DATA_DIR. Nothing was changed.');
  });

  it('makes no data folder where DATABASE_URL names the place, and lists the keys beside the backups', async () => {
    const database = await testDatabase();
    const backupDir = path.join(home, 'backups');
    const settings = { BACKUP_DIR: backupDir, DATABASE_URL: database.connectionString };
    const { code, output } = await runCommand(['restore', BACKUP], dataDir, settings);
    await database.close();
    expect(code, output).to.equal(0);
    expect(output).to.include(path.join(backupDir, 'restored-keys.txt'));
    expect([readdirSync(backupDir), existsSync(dataDir)]).to.deep.equal([['restored-keys.txt'], false]);
  });
});
