import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { verifyJournal } from '@paper/auditor';
import { BackupFolder, takeBackup } from '@paper/backup';
import { createEventStoreJournal } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { eventually, testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { missingServer, startServices } from '@paper/testkit/exchange';
import type { RunningServices } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import { eventStoreAt, startEventStore } from '@paper/testkit/servers';
import type { EventStore } from '@paper/testkit/servers';
import { expect } from 'chai';
import { restoreInto } from '../src/restore.ts';
import { Person, rankedPeople, startLoad } from './restore-drill.ts';

const SHARD = 'drill';
const TITLE = 'a backup of services on EventStoreDB, restored after its server and the database were lost';
const missing = missingServer('eventstoredb') ?? (eventStoreAt().toStart ? null : 'an eventstored on PATH');

if (missing === null) describe(TITLE, drill);
else it(`${TITLE} (skipped: needs ${missing})`);

function drill(this: Mocha.Suite): void {
  this.timeout(300_000);
  const home = mkdtempSync(path.join(tmpdir(), 'restore-eventstoredb-'));
  const backupDir = path.join(home, 'backups');
  const undo: (() => Promise<unknown>)[] = [];

  after(async () => {
    for (const step of undo.splice(0).reverse()) await step();
    rmSync(home, { recursive: true, force: true });
  });

  const openServers = async (): Promise<[EventStore, TestDatabase]> => {
    const server = await startEventStore();
    undo.push(() => server.stop());
    const database = await testDatabase();
    undo.push(() => database.close());
    return [server, database];
  };
  const serve = async (server: EventStore, database: TestDatabase): Promise<RunningServices> => {
    const services = await startServices({
      // The journal's own server takes the place of the one that tests share.
      journal: 'postgres',
      databaseUrl: database.connectionString,
      count: { portal: 1 },
      env: {
        BACKUP_DIR: backupDir,
        JOURNAL_URL: server.connectionString,
        PORTAL_SECRET: 'secret-of-the-portal-in-a-drill.',
        SHARD,
      },
    });
    undo.push(() => services.stop('SIGKILL'));
    return services;
  };
  const open = async (server: EventStore): Promise<Journal> => {
    const journal = await createEventStoreJournal({ connectionString: server.connectionString, shard: SHARD });
    undo.push(() => journal.close());
    return journal;
  };

  it('loses nothing up to its head, meets the receipts, holds in the audit, and deletes again whoever left', async () => {
    mkdirSync(backupDir);
    const [server, database] = await openServers();
    const first = await serve(server, database);
    const desk = operatorClient(await createCheckedClient(first.baseUrl), first.operatorToken);
    await desk.list('m');
    const ann = await desk.open('Ann');
    const page = first.env['PUBLIC_URL'] ?? '';
    const { leaver } = await rankedPeople(page, desk);

    const load = startLoad(first.baseUrl, ann.key);
    await eventually('orders are answered', () => load.receipts.length > 50);
    const before = [...load.receipts];
    const backups = new BackupFolder(backupDir);
    const source = await open(server);
    const { folder, manifest } = await takeBackup({
      backups,
      connectionString: database.connectionString,
      eventStore: { journal: source, shard: SHARD },
      keys: null,
    });
    await eventually('orders after the backup', () => load.receipts.length > before.length + 50);
    await load.stop();
    const head = manifest.heads[0]!;
    const backedUp = await source.read(1, head.seq);

    expect((await leaver.call('DELETE', '/portal/me')).status).to.equal(202);
    const noted = path.join(backupDir, 'erasures.ndjson');
    await eventually(
      'the deletion is noted beside the backup',
      () => existsSync(noted) && readFileSync(noted, 'utf8').includes('accountId'),
    );
    await first.stop('SIGKILL');
    await source.close();
    await server.stop();

    const [anew, empty] = await openServers();
    const journal = await open(anew);
    const restored = await restoreInto({
      connectionString: empty.connectionString,
      eventStore: { journal, shard: SHARD },
      erasuresIn: [backupDir],
      folder,
      keys: null,
      revokesKeys: true,
    });
    expect(restored.erased).to.have.lengthOf(1);
    expect(await journal.read(1, head.seq)).to.deep.equal(backedUp);
    for (const { hash, seq } of before) {
      expect(seq).to.be.at.most(head.seq);
      expect(backedUp[seq - 1]?.hash, `the receipt of event ${seq}`).to.equal(hash);
    }

    const second = await serve(anew, empty);
    const readModelsUrl = empty.connectionString;
    const { fault } = await verifyJournal({ journal, readModelsUrl, shard: SHARD });
    expect(fault).to.equal(null);
    const url = second.env['PUBLIC_URL'] ?? '';
    expect((await new Person(url, 'stayer').signIn()).status).to.equal(200);
    expect((await new Person(url, 'leaver').signIn()).status).to.equal(401);
    const ranks = await (await fetch(`${second.baseUrl}/api/leaderboard?limit=500`)).text();
    expect(ranks).to.include('Shown stayer');
    expect(ranks).not.to.include('Shown leaver');
  });
}
