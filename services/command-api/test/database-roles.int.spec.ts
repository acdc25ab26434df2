import { expect } from 'chai';
import { createState, decide } from '@paper/exchange';
import type { Command } from '@paper/exchange/commands';
import type { ExchangeEvent } from '@paper/exchange/events';
import {
  checkChain,
  createPostgresJournal,
  EMPTY_HEAD,
  encodeDecision,
  JournalRefused,
  withhold,
} from '@paper/journal';
import { connectReadModels, prepareReadModels, rebuilding } from '@paper/read-models';
import { SnapshotStore } from '@paper/command-side';
import { ConfigError, createLeaseStore, withClient } from '@paper/runtime';
import { byRole, readSecret } from '@paper/runtime/coordination';
import type { ByRole } from '@paper/runtime/coordination';
import { openAccount, testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { ROLE_PASSWORD } from '@paper/testkit/exchange';
import pg from 'pg';
import { connectionStringsOf, prepareRoles } from '../src/database-roles/roles.ts';

const INSUFFICIENT_PRIVILEGE = '42501';
const PASSWORDS = byRole(() => ROLE_PASSWORD);

function result(command: Command): readonly ExchangeEvent[] {
  const decision = decide(createState(), command);
  if (decision.kind !== 'accepted') throw new Error(`${command.type} was refused`);
  return decision.events;
}

/** Runs the statement; gives null, or the code of the Postgres error. */
async function outcome(connectionString: string, statement: string): Promise<string | null> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
    return null;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  } finally {
    await client.end();
  }
}

async function prepare(target: TestDatabase): Promise<ByRole<string>> {
  await prepareRoles({ connectionString: target.connectionString, shard: 'main', journalIsHere: true }, PASSWORDS);
  return connectionStringsOf(target.connectionString, PASSWORDS);
}

describe('Database roles refuse', () => {
  let database: TestDatabase;
  let urls: ByRole<string>;

  // One database for all statements: what is refused changes nothing.
  before(async () => {
    database = await testDatabase();
    urls = await prepare(database);
  });
  after(() => database.close());

  for (const role of ['command', 'projector', 'reader', 'portal', 'backtests'] as const) {
    for (const statement of [
      'update journal.events set type = type',
      'delete from journal.events',
      'truncate journal.events',
      'drop table journal.events cascade',
      'alter table journal.events disable trigger all',
      'drop trigger events_only_grow on journal.events',
      'create or replace function journal.refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
      'create table journal.more (x int)',
      'delete from journal.head',
      'drop schema journal cascade',
      `create role intruder`,
      `copy journal.events to program 'cat'`,
    ]) {
      it(`to the ${role}: ${statement.slice(0, 60)}`, async () => {
        expect(await outcome(urls[role], statement)).to.equal(INSUFFICIENT_PRIVILEGE);
      });
    }
  }
});

describe('Database roles', () => {
  let database: TestDatabase;
  let urls: ByRole<string>;

  /** Projects, and gives the name of the projector's schema. */
  async function projected(): Promise<string> {
    const db = connectReadModels({ connectionString: urls.projector, maxConnections: 1 });
    try {
      await prepareReadModels(db);
    } finally {
      await db.destroy();
    }
    const { active } = await rebuilding.rebuildStatus(urls.projector).then(({ schemas }) => ({
      active: schemas.find(({ status }) => status === 'active'),
    }));
    if (active === undefined) throw new Error('no schema is active');
    return active.schema;
  }

  beforeEach(async () => {
    database = await testDatabase();
    urls = await prepare(database);
  });
  afterEach(() => database.close());

  it('let each do its own part', async () => {
    const schema = await projected();
    const journal = await createPostgresJournal({ connectionString: urls.command });
    expect((await journal.head()).seq).to.equal(0);
    await journal.close();
    const leases = createLeaseStore({ connectionString: urls.command });
    const holder = { name: 'writer:main', holder: 'me', address: 'here' };
    expect(await leases.take(holder, 1_000)).to.include({ kind: 'taken' });
    await leases.close();
    await new SnapshotStore({ connectionString: urls.command, shard: 'main' }).prepare();
    for (const url of [urls.command, urls.reader]) {
      expect(await outcome(url, `select * from "${schema}".checkpoint`)).to.equal(null);
      expect(await outcome(url, 'select * from read_models.versions')).to.equal(null);
    }
    for (const url of [urls.command, urls.projector]) {
      expect(await outcome(url, 'select * from journal.events')).to.equal(null);
    }
    for (const url of [urls.command, urls.projector, urls.reader]) {
      expect(await outcome(url, 'select * from journal.head')).to.equal(null);
      expect(await outcome(url, 'listen journal_appended')).to.equal(null);
    }
  });

  it('let only the command side append to the journal', async () => {
    for (const role of ['projector', 'reader'] as const) {
      expect(await outcome(urls[role], `insert into journal.head values ('other', 0, '')`)).to.equal(
        INSUFFICIENT_PRIVILEGE,
      );
      expect(await outcome(urls[role], 'update journal.head set seq = 5')).to.equal(INSUFFICIENT_PRIVILEGE);
      expect(
        await outcome(urls[role], `insert into journal.events values ('main', 1, gen_random_uuid(), 'x', '', '', '')`),
      ).to.equal(INSUFFICIENT_PRIVILEGE);
    }
  });

  it('show the reader no private part: their digests only, by which it serves the journal', async () => {
    expect(await outcome(urls.reader, 'select * from journal.events')).to.equal(INSUFFICIENT_PRIVILEGE);
    expect(await outcome(urls.reader, 'select private_text from journal.events')).to.equal(INSUFFICIENT_PRIVILEGE);
    const writing = await createPostgresJournal({ connectionString: urls.command, use: 'service' });
    const reading = await createPostgresJournal({ connectionString: urls.reader, use: 'public reader' });
    try {
      const opening = { ...openAccount('ann'), id: '01920000-0000-7000-8000-000000000001' };
      const { stored } = encodeDecision({
        command: opening,
        events: result(opening),
        head: EMPTY_HEAD,
        salt: 'ab'.repeat(16),
      });
      await writing.append(EMPTY_HEAD, stored);
      const whole = await writing.read(1, 100);
      expect(whole.some(({ privateText }) => privateText !== null)).to.equal(true);
      const read = await reading.read(1, 100);
      expect(read.every(({ privateText }) => privateText === null)).to.equal(true);
      expect(read.map(withhold)).to.deep.equal(whole.map(withhold));
      expect(checkChain(EMPTY_HEAD, read)).to.deep.equal(await reading.head());
    } finally {
      await Promise.all([writing.close(), reading.close()]);
    }
  });

  it('let neither the projector take the lease of the writer, nor the command side that of the projector', async () => {
    for (const [role, own, other] of [
      ['command', 'writer:main', 'projector:main'],
      ['projector', 'projector:main', 'writer:main'],
    ] as const) {
      const leases = createLeaseStore({ connectionString: urls[role] });
      const claim = { holder: role, address: 'here' };
      try {
        expect(await leases.take({ name: own, ...claim }, 60_000)).to.include({ kind: 'taken' });
        const denied: unknown = await leases.take({ name: other, ...claim }, 60_000).catch((error: unknown) => error);
        expect(denied).to.have.property('code', INSUFFICIENT_PRIVILEGE);
      } finally {
        await leases.close();
      }
    }
    // The reader cannot change the other process's lease row either.
    const steal = `update coordination.leases set holder = 'thief' where name = 'writer:main'`;
    expect(await outcome(urls.projector, steal)).to.equal(null);
    const owner = new pg.Client({ connectionString: database.connectionString });
    await owner.connect();
    const { rows } = await owner.query('select name, holder from coordination.leases order by name');
    await owner.end();
    expect(rows).to.deep.equal([
      { name: 'projector:main', holder: 'projector' },
      { name: 'writer:main', holder: 'command' },
    ]);
  });

  it('let only the command side call pg_notify', async () => {
    const call = `select pg_notify('journal_appended', 'main 1')`;
    expect(await outcome(urls.command, call)).to.equal(null);
    for (const role of ['projector', 'reader'] as const) {
      expect(await outcome(urls[role], call), role).to.equal(INSUFFICIENT_PRIVILEGE);
    }
  });

  it('keep a projector without JOURNAL_URL from creating a journal, and say what to do', async () => {
    const elsewhere = await testDatabase();
    try {
      const { connectionString } = elsewhere;
      await prepareRoles({ connectionString, shard: 'main', journalIsHere: false }, PASSWORDS);
      const { projector } = connectionStringsOf(connectionString, PASSWORDS);
      const error: unknown = await createPostgresJournal({ connectionString: projector, use: 'service' }).catch(
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(JournalRefused);
      expect(String(error)).to.match(/paper_projector is not its owner: run `npm run roles`.*EventStoreDB/);
      expect(await outcome(connectionString, 'select * from journal.events')).to.equal('42P01');
    } finally {
      await elsewhere.close();
    }
  });

  it('take back a journal that a projector had made, and refuse that projector until then', async () => {
    const taken = await testDatabase();
    try {
      const { connectionString } = taken;
      await prepareRoles({ connectionString, shard: 'main', journalIsHere: true }, PASSWORDS);
      const { projector, command } = connectionStringsOf(connectionString, PASSWORDS);
      // The owners that a build before this one left.
      for (const what of [
        'schema journal',
        'table journal.events',
        'table journal.head',
        'view journal.public_events',
      ]) {
        expect(await outcome(connectionString, `alter ${what} owner to paper_projector`)).to.equal(null);
      }
      const function_ = 'function journal.refuse_change()';
      expect(await outcome(connectionString, `alter ${function_} owner to paper_projector`)).to.equal(null);
      expect(await outcome(projector, 'alter table journal.events disable trigger all')).to.equal(null);
      const open = () => createPostgresJournal({ connectionString: projector, use: 'service' });
      expect(String(await open().catch((reason: unknown) => reason))).to.match(
        /paper_projector could change the journal's events \(it owns the journal's tables.*take the journal back, run `npm run roles`/,
      );

      await prepareRoles({ connectionString, shard: 'main', journalIsHere: true }, PASSWORDS);

      for (const statement of ['alter table journal.events disable trigger all', 'delete from journal.events']) {
        expect(await outcome(projector, statement), statement).to.equal(INSUFFICIENT_PRIVILEGE);
      }
      expect(await outcome(connectionString, 'delete from journal.events'), 'the guard').to.equal(
        INSUFFICIENT_PRIVILEGE,
      );
      await (await open()).close();
      await (await createPostgresJournal({ connectionString: command, use: 'service' })).close();
    } finally {
      await taken.close();
    }
  });

  it('refuse a service that runs as the owner where they were made', async () => {
    const { connectionString } = database;
    const error: unknown = await createPostgresJournal({ connectionString, use: 'service' }).catch(
      (reason: unknown) => reason,
    );
    expect(String(error)).to.match(/could change the journal's events.*COMMAND_DATABASE_URL/);
    // The owner can still append.
    await (await createPostgresJournal({ connectionString })).close();
    const undivided = await testDatabase();
    try {
      await (await createPostgresJournal({ connectionString: undivided.connectionString, use: 'service' })).close();
    } finally {
      await undivided.close();
    }
  });

  it('let only the projector change the read models', async () => {
    const schema = await projected();
    for (const role of ['command', 'reader'] as const) {
      for (const statement of [
        `update "${schema}".checkpoint set seq = 5`,
        `delete from "${schema}".accounts`,
        `drop schema "${schema}" cascade`,
        `update read_models.versions set status = 'former'`,
      ]) {
        expect(await outcome(urls[role], statement), `${role}: ${statement}`).to.equal(INSUFFICIENT_PRIVILEGE);
      }
    }
  });

  it('let the reader create and change nothing', async () => {
    for (const statement of [
      'create schema mine',
      'create table public.mine (x int)',
      `insert into coordination.leases values ('writer:main', 'me', '', 1, now())`,
      'select * from snapshots.pieces',
    ]) {
      expect(await outcome(urls.reader, statement), statement).to.equal(INSUFFICIENT_PRIVILEGE);
    }
  });

  it('let those that admit keys note their uses, and only the command side delete them', async () => {
    const note = `insert into coordination.key_uses values ('key', 'ann', '2026-11-26')
      on conflict (key_id) do update set used_on = excluded.used_on`;
    const uses = `delete from coordination.key_uses`;
    for (const [role, notes, deletes] of [
      ['reader', null, INSUFFICIENT_PRIVILEGE],
      ['command', null, null],
      ['projector', INSUFFICIENT_PRIVILEGE, INSUFFICIENT_PRIVILEGE],
      ['portal', INSUFFICIENT_PRIVILEGE, INSUFFICIENT_PRIVILEGE],
    ] as const) {
      expect([await outcome(urls[role], note), await outcome(urls[role], uses)], role).to.deep.equal([notes, deletes]);
    }
  });

  it('let the portal own its schema, and see nothing else', async () => {
    const schema = await projected();
    expect(await outcome(urls.portal, 'create table portal.mine (secret text)')).to.equal(null);
    for (const statement of [
      'create schema mine',
      'create table public.mine (x int)',
      'select * from journal.head',
      'select * from journal.public_events',
      'select * from coordination.leases',
      'select * from coordination.secrets',
      'select * from coordination.names',
      'select * from snapshots.pieces',
      `select * from "${schema}".accounts`,
    ]) {
      expect(await outcome(urls.portal, statement), statement).to.equal(INSUFFICIENT_PRIVILEGE);
    }
    for (const role of ['command', 'projector', 'reader'] as const) {
      for (const statement of [
        'select * from portal.mine',
        'drop table portal.mine',
        'create table portal.more (x int)',
      ]) {
        expect(await outcome(urls[role], statement), `${role}: ${statement}`).to.equal(INSUFFICIENT_PRIVILEGE);
      }
    }
  });

  it('let backtests make and drop databases of their own, and see nothing of this one', async () => {
    const schema = await projected();
    const own = `backtest_${new URL(database.connectionString).pathname.slice(1)}`;
    expect(await outcome(urls.backtests, `create database ${own}`)).to.equal(null);
    expect(await outcome(urls.backtests, `drop database ${own} with (force)`)).to.equal(null);
    for (const statement of [
      'create schema mine',
      'create table public.mine (x int)',
      'select * from journal.public_events',
      'select * from coordination.names',
      'select * from coordination.key_uses',
      'create table portal.mine (x int)',
      `select * from "${schema}".accounts`,
      `drop database ${new URL(database.connectionString).pathname.slice(1)} with (force)`,
    ]) {
      expect(await outcome(urls.backtests, statement), statement).to.equal(INSUFFICIENT_PRIVILEGE);
    }
    for (const role of ['command', 'projector', 'reader', 'portal'] as const) {
      expect(await outcome(urls[role], `create database ${own}`), role).to.equal(INSUFFICIENT_PRIVILEGE);
    }
  });

  it('show the reader the secret of cursors, the command side that of fingerprints, and the projector none', async () => {
    const secrets = {
      cursors: await readSecret(database.connectionString, 'cursors'),
      fingerprints: await readSecret(database.connectionString, 'fingerprints'),
    };
    const seen = async (url: string): Promise<Record<string, Buffer>> => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        const { rows } = await client.query<{ name: string; value: Buffer }>('select * from coordination.secrets');
        return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
      } finally {
        await client.end();
      }
    };
    expect(await seen(urls.reader)).to.deep.equal({ cursors: secrets.cursors });
    expect(await seen(urls.command)).to.deep.equal({ fingerprints: secrets.fingerprints });
    expect(await outcome(urls.projector, 'select * from coordination.secrets')).to.equal(INSUFFICIENT_PRIVILEGE);
    for (const [role, url] of Object.entries(urls)) {
      for (const statement of [
        `update coordination.secrets set value = ''`,
        `insert into coordination.secrets values ('mine', '')`,
        'delete from coordination.secrets',
        'alter table coordination.secrets disable row level security',
        'drop policy reader_reads_cursors on coordination.secrets',
      ]) {
        expect(await outcome(url, statement), `${role}: ${statement}`).to.equal(INSUFFICIENT_PRIVILEGE);
      }
    }
  });

  it('let the command side keep display names, the reader read them, and the projector do neither', async () => {
    const row = `insert into coordination.names values ('a', 'main', '', 'Ann', true)`;
    expect(await outcome(urls.command, row)).to.equal(null);
    expect(await outcome(urls.command, 'update coordination.names set pending = false')).to.equal(null);
    expect(await outcome(urls.reader, 'select name from coordination.names')).to.equal(null);
    expect(await outcome(urls.projector, 'select name from coordination.names')).to.equal(INSUFFICIENT_PRIVILEGE);
    for (const role of ['projector', 'reader'] as const) {
      for (const statement of [row, 'update coordination.names set name = name', 'delete from coordination.names']) {
        expect(await outcome(urls[role], statement), `${role}: ${statement}`).to.equal(INSUFFICIENT_PRIVILEGE);
      }
    }
    expect(await outcome(urls.command, 'drop table coordination.names')).to.equal(INSUFFICIENT_PRIVILEGE);
    // A rebuild refills the read models, which hold no names.
    await projected();
    const journal = await createPostgresJournal({ connectionString: database.connectionString });
    try {
      await rebuilding.rebuild({ connectionString: database.connectionString, journal });
    } finally {
      await journal.close();
    }
    expect(await outcome(urls.command, 'delete from coordination.names')).to.equal(null);
  });

  it('leave the secrets as they are when they are prepared again, and when the read models are rebuilt', async () => {
    const before = await readSecret(urls.reader, 'cursors');
    await prepare(database);
    await projected();
    const journal = await createPostgresJournal({ connectionString: database.connectionString });
    try {
      await rebuilding.rebuild({ connectionString: database.connectionString, journal });
    } finally {
      await journal.close();
    }
    expect(await readSecret(urls.reader, 'cursors')).to.deep.equal(before);
  });

  it('take over what was made without them', async () => {
    const old = await testDatabase();
    try {
      const { connectionString } = old;
      await (await createPostgresJournal({ connectionString })).close();
      await new SnapshotStore({ connectionString, shard: 'main' }).prepare();
      const people = `create schema portal; create table portal.people (id int generated always as identity);
        create view portal.health as select true as "emailConfigured"`;
      expect(await outcome(connectionString, people)).to.equal(null);
      const db = connectReadModels({ connectionString, maxConnections: 1 });
      try {
        await prepareReadModels(db);
      } finally {
        await db.destroy();
      }
      const before = (await rebuilding.rebuildStatus(connectionString)).schemas[0]?.schema ?? '';

      const roles = await prepare(old);

      expect(await outcome(roles.projector, `update "${before}".checkpoint set seq = seq`)).to.equal(null);
      expect(await outcome(roles.projector, `select nextval('read_models.schema_number')`)).to.equal(null);
      expect(await outcome(roles.reader, `select * from "${before}".checkpoint`)).to.equal(null);
      expect(await outcome(roles.reader, `update "${before}".checkpoint set seq = seq`)).to.equal(
        INSUFFICIENT_PRIVILEGE,
      );
      expect(await outcome(roles.command, 'delete from snapshots.snapshots')).to.equal(null);
      expect(await outcome(roles.portal, 'drop view portal.health; drop table portal.people')).to.equal(null);
    } finally {
      await old.close();
    }
  });

  it('leave the read models to the projector when the owner rebuilds them', async () => {
    await projected();
    const journal = await createPostgresJournal({ connectionString: database.connectionString });
    try {
      const { schema } = await rebuilding.rebuild({ connectionString: database.connectionString, journal });
      expect(await outcome(urls.projector, `update "${schema}".checkpoint set seq = seq`)).to.equal(null);
      expect(await outcome(urls.reader, `select * from "${schema}".checkpoint`)).to.equal(null);
    } finally {
      await journal.close();
    }
  });

  it('cannot have another call their functions', async () => {
    const owner = new URL(database.connectionString).username;
    const trap = `language plpgsql as $$ begin raise exception 'caught: %', current_user; end $$`;
    for (const [role, victim] of [
      ['command', owner],
      ['projector', 'paper_command'],
    ] as const) {
      const made = `create schema ${victim};
        grant usage on schema ${victim} to public;
        create function ${victim}.quote_ident(name) returns text ${trap};
        create function ${victim}.pg_advisory_xact_lock(integer) returns void ${trap};
        create function ${victim}.to_regclass(text) returns regclass ${trap};`;
      expect(await outcome(urls[role], made), `${role} makes a trap for ${victim}`).to.equal(null);
    }

    await prepare(database);

    await new SnapshotStore({ connectionString: urls.command, shard: 'main' }).prepare();
    await (await createPostgresJournal({ connectionString: urls.command })).close();
    await (await createPostgresJournal({ connectionString: database.connectionString })).close();
  });

  it('need an owner who may make roles: it said "permission denied to create role", after it had made tables', async () => {
    const target = await testDatabase();
    const name = new URL(target.connectionString).pathname.slice(1);
    try {
      await withClient(target, async (client) => {
        await client.query(`create role owner_of_${name} login password '${ROLE_PASSWORD}'`);
        await client.query(`alter database ${name} owner to owner_of_${name}`);
      });
      const url = new URL(target.connectionString);
      url.username = `owner_of_${name}`;
      url.password = ROLE_PASSWORD;
      const owner = { connectionString: url.href, shard: 'main', journalIsHere: true };
      const refusal: unknown = await prepareRoles(owner, { command: ROLE_PASSWORD }).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(ConfigError);
      expect(String(refusal)).to.include(`alter role owner_of_${name} createrole`);
      expect(await outcome(url.href, 'select from journal.head')).to.equal('42P01');
      await withClient(target, async (client) => {
        await client.query(`alter database ${name} owner to current_user; drop role owner_of_${name}`);
      });
    } finally {
      await target.close();
    }
  });

  it('keep a password that they are not given', async () => {
    await prepareRoles({ connectionString: database.connectionString, shard: 'main', journalIsHere: true }, {});
    expect(await outcome(urls.reader, 'select 1')).to.equal(null);
  });
});
