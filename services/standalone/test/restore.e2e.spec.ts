import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { verifyJournal } from '@paper/auditor';
import { BackupFolder, takeBackup } from '@paper/backup';
import { runningPostgres, startEmbeddedPostgres } from '@paper/embedded-postgres';
import { openJournal } from '@paper/journal';
import { eventually, IS_LONG_RUN, runCommand } from '@paper/testkit';
import { startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import { expect } from 'chai';
import { restoreInto } from '../src/restore.ts';
import { Person, rankedPeople, startLoad } from './restore-drill.ts';

describe('a backup that was taken under load, and restored after the data folder was lost', function () {
  this.timeout(180_000);
  const home = mkdtempSync(path.join(tmpdir(), 'restore-'));
  const backupDir = path.join(home, 'backups');
  const backups = new BackupFolder(backupDir);
  const data = temporaryDataDir();
  const { dataDir } = data;
  let service: RunningStandalone | null = null;

  after(async () => {
    await service?.stop();
    data.remove();
    rmSync(home, { recursive: true, force: true });
  });

  const start = async (): Promise<RunningStandalone> =>
    (service = await startStandalone({ dataDir, env: { BACKUP_DIR: backupDir } }));
  /** As a person does it in a long run; in this process, which is quicker, in every other. */
  const backUp = async (): Promise<void> => {
    if (IS_LONG_RUN) {
      const { code, output } = await runCommand(['backup'], dataDir, { BACKUP_DIR: backupDir });
      expect(code, output).to.equal(0);
      return;
    }
    await takeBackup({ backups, connectionString: runningPostgres(dataDir) ?? '', eventStore: null, keys: null });
  };
  const restore = async (folder: string): Promise<void> => {
    if (IS_LONG_RUN) {
      const { code, output } = await runCommand(['restore', folder, '--revoke-keys'], dataDir, {
        BACKUP_DIR: backupDir,
      });
      expect(code, output).to.equal(0);
      return;
    }
    const postgres = await startEmbeddedPostgres({ dataDir });
    const { connectionString } = postgres;
    await restoreInto({
      connectionString,
      eventStore: null,
      erasuresIn: [backupDir],
      folder,
      keys: null,
      revokesKeys: true,
    });
    await postgres.stop();
  };

  it('has every receipt from before, holds in the audit, and knows nothing of whoever left since', async () => {
    const first = await start();
    const client = await createCheckedClient(first.baseUrl);
    const desk = operatorClient(client, first.operatorToken);
    await desk.list('m');
    const ann = await desk.open('Ann');
    const { leaver, stayer } = await rankedPeople(first.publicUrl, desk);
    const { apiKey } = (await leaver.call('POST', '/portal/automation-key', { name: 'bot' })).body as {
      apiKey: { rawKey: string; keyId?: string };
    };
    const load = startLoad(first.baseUrl, ann.key);
    await eventually('orders are answered', () => Promise.resolve(load.receipts.length > 50));

    const before = [...load.receipts];
    await backUp();
    await eventually('orders after the backup', () => Promise.resolve(load.receipts.length > before.length + 50));
    await load.stop();

    expect((await leaver.call('DELETE', '/portal/me')).status).to.equal(202);
    const [taken] = backups.list();
    const noted = (): string =>
      [backupDir, taken?.folder ?? ''].map((folder) => read(path.join(folder, 'erasures.ndjson'))).join('');
    await eventually('the deletion is noted beside the backup', () =>
      Promise.resolve((noted().match(/accountId/g) ?? []).length === 2),
    );
    expect(noted()).not.to.include('leaver');

    await first.stop('SIGKILL');
    // Its Postgres ends a little later, and would write into a folder that is being deleted.
    renameSync(dataDir, path.join(home, 'lost'));
    await restore(taken?.folder ?? '');

    const head = taken?.manifest.heads[0];
    for (const { seq } of before) expect(seq).to.be.at.most(head?.seq ?? 0);
    const second = await start();
    const databaseUrl = runningPostgres(dataDir) ?? '';
    const journal = await openJournal({ databaseUrl });
    for (const { hash, seq } of before.filter((_, nth) => nth % 10 === 0)) {
      expect((await journal.read(seq, 1))[0]?.hash, `event ${seq}`).to.equal(hash);
    }
    const { fault } = await verifyJournal({ journal, readModelsUrl: databaseUrl, shard: 'main' });
    expect(fault).to.equal(null);
    await journal.close();

    // Sessions have ended; whoever stayed signs in, and whoever left is unknown.
    stayer.url = second.publicUrl;
    expect((await stayer.call('GET', '/portal/me')).status).to.equal(401);
    expect((await new Person(second.publicUrl, 'stayer').signIn()).status).to.equal(200);
    expect((await new Person(second.publicUrl, 'leaver').signIn()).status).to.equal(401);
    const ranks = await (await fetch(`${second.baseUrl}/api/leaderboard?limit=500`)).text();
    expect(ranks).to.include('Shown stayer');
    expect(ranks).not.to.include('Shown leaver');
    for (const key of [apiKey.rawKey, ann.key]) {
      const answer = await fetch(`${second.baseUrl}/api/portfolio`, { headers: { authorization: `Bearer ${key}` } });
      expect(answer.status).to.equal(401);
    }
    // The portal makes keys anew where they were revoked.
    const again = new Person(second.publicUrl, 'stayer');
    await again.signIn();
    await eventually('the portfolio of the one who stayed', async () => {
      return (await again.call('GET', '/portal/as/me/portfolio')).status === 200;
    });
  });

  it('leaves nothing unfinished beside the backup', () => {
    expect(readdirSync(backupDir).filter((name) => name.startsWith('.'))).to.deep.equal([]);
  });
});

function read(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
