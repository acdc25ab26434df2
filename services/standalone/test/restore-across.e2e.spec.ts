import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { verifyJournal } from '@paper/auditor';
import { appendAll, makeEvents, namedIn } from '@paper/auditor/test/audited-journal';
import { BackupFolder, takeBackup } from '@paper/backup';
import { createEventStoreJournal, createPostgresJournal } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { startFakeEventStore } from '@paper/journal/test/fake-eventstore';
import { isLongSuiteLeftOut, storeTestNames, testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { missingServer, startServices, startStandalone } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import { eventStoreAt, startEventStore } from '@paper/testkit/servers';
import { expect } from 'chai';
import { makeTables } from './prepared-tables.ts';
import { restoreInto } from '../src/restore.ts';

const SHARD = 'main';
/** The generated journal ended long ago. */
const ACCEPTED = { ACCEPT_CLOCK: 'on', SHARD };

/** A database, and where its journal is; JOURNAL_URL is empty where it is in the database itself. */
interface Place {
  readonly database: TestDatabase;
  readonly journalUrl: string;
  readonly open: () => Promise<Journal>;
  readonly close: () => Promise<void>;
}

type Kind = 'Postgres' | 'EventStoreDB';

const PLACES: Readonly<Record<Kind, () => Promise<Place>>> = {
  Postgres: async () => {
    const database = await testDatabase();
    const { connectionString } = database;
    const open = (): Promise<Journal> => createPostgresJournal({ connectionString, shard: SHARD });
    return { database, journalUrl: '', open, close: () => database.close() };
  },
  /** The real server where one is installed, else the fake of the same protocol. */
  EventStoreDB: async () => {
    const database = await testDatabase();
    const { stop, url } = await (eventStoreAt().toStart ? realEventStore() : fakeEventStore());
    const open = (): Promise<Journal> => createEventStoreJournal({ connectionString: url, shard: SHARD });
    const close = async (): Promise<void> => {
      await database.close();
      await stop();
    };
    return { database, journalUrl: url, open, close };
  },
};

async function realEventStore() {
  const server = await startEventStore();
  return { stop: () => server.stop(), url: server.connectionString };
}

async function fakeEventStore() {
  const server = await startFakeEventStore();
  return { stop: () => server.close(), url: server.connectionString() };
}

/** The exchange of a place: one process, or services where its journal is in EventStoreDB. */
function start({ database, journalUrl }: Place) {
  const { connectionString } = database;
  if (journalUrl === '') return startStandalone({ env: { ...ACCEPTED, DATABASE_URL: connectionString } });
  // The journal's own server takes the place of the one that tests share.
  return startServices({
    journal: 'postgres',
    databaseUrl: connectionString,
    env: { ...ACCEPTED, JOURNAL_URL: journalUrl },
  });
}

/** Where a pair is tried: the one that was broken in every run, its reverse in CI, and the others in long runs. */
const DIRECTIONS: readonly (readonly [from: Kind, to: Kind, isLong: boolean])[] = [
  ['EventStoreDB', 'Postgres', false],
  ['Postgres', 'EventStoreDB', false],
  ['EventStoreDB', 'EventStoreDB', true],
  ['Postgres', 'Postgres', true],
];

for (const [from, to, isLong] of DIRECTIONS) {
  describe(`a backup of a journal in ${from} that is restored into ${to}`, function () {
    this.timeout(180_000);
    if (isLong && isLongSuiteLeftOut()) return;
    const missing = to === 'EventStoreDB' ? missingServer('postgres') : null;
    if (missing !== null) {
      it(`is started, traded on and audited (skipped: needs ${missing})`);
      return;
    }
    const home = mkdtempSync(path.join(tmpdir(), 'restore-across-'));
    const places: Place[] = [];
    after(async () => {
      for (const place of places) await place.close();
      rmSync(home, { recursive: true, force: true });
    });
    const place = async (kind: Kind): Promise<Place> => {
      const made = await PLACES[kind]();
      places.push(made);
      return made;
    };
    const audit = async ({ database, open }: Place, hasReadModels: boolean) => {
      const journal = await open();
      const { connectionString } = database;
      const compared = { namesUrl: connectionString, ...(hasReadModels ? { readModelsUrl: connectionString } : {}) };
      const verdict = await verifyJournal({ journal, shard: SHARD, ...compared });
      await journal.close();
      expect(verdict.fault?.message).to.equal(undefined);
      return verdict.end.seq;
    };

    it('is started, traded on and audited', async () => {
      const source = await place(from);
      const { connectionString } = source.database;
      await makeTables(connectionString, source.journalUrl === '');
      const journal = await source.open();
      const events = makeEvents(5, 300);
      await appendAll(journal, events);
      await storeTestNames(connectionString, SHARD, namedIn(events));
      const { folder, manifest } = await takeBackup({
        backups: new BackupFolder(home),
        connectionString,
        eventStore: source.journalUrl === '' ? null : { journal, shard: SHARD },
        keys: null,
      });
      await journal.close();
      const { hash, seq } = events.at(-1) ?? { hash: '', seq: 0 };
      expect(manifest.heads).to.deep.equal([{ shard: SHARD, hash, seq }]);

      const target = await place(to);
      const into = target.journalUrl === '' ? null : await target.open();
      const restored = await restoreInto({
        connectionString: target.database.connectionString,
        eventStore: into === null ? null : { journal: into, shard: SHARD },
        erasuresIn: [],
        folder,
        keys: null,
        revokesKeys: false,
      });
      await into?.close();
      expect(restored.heads).to.deep.equal(manifest.heads);
      expect(restored.keys.length, 'keys that work again').to.be.greaterThan(0);
      expect(await audit(target, false), 'as restored').to.equal(seq);

      const exchange = await start(target);
      try {
        const client = await createCheckedClient(exchange.baseUrl);
        const desk = operatorClient(client, exchange.operatorToken);
        await desk.list('after-it');
        for (const [name, outcome] of [
          ['Ann', 'yes'],
          ['Ben', 'no'],
        ] as const) {
          const { key } = await desk.open(name);
          const body = { marketId: 'after-it', side: 'buy', outcome, price: 0.5, quantity: 10 };
          await client.ok('POST', '/api/orders', { key, body });
        }
        expect(await audit(target, true), 'with read models').to.be.greaterThan(seq);
      } finally {
        await exchange.stop();
      }
    });
  });
}
