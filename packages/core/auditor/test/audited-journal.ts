import { DEFAULT_SETTINGS } from '@paper/exchange/commands';
import type { Command, Settings } from '@paper/exchange/commands';
import { createPostgresJournal, decode, EMPTY_HEAD } from '@paper/journal';
import type { Head, Journal, StoredEvent } from '@paper/journal';
import { connectReadModels, catchUp, prepareReadModels, Projection, activeSchema } from '@paper/read-models';
import { ensureNameTables } from '@paper/names';
import { createWorkload, storeTestNames, testDatabase, testName, StoredExchange } from '@paper/testkit';
import type { TestRename } from '@paper/testkit';
import pg from 'pg';
import { openReadOnly } from '../src/index.ts';
import type { ReadOnlyJournal } from '../src/index.ts';
import { chainHash } from '../src/verify/texts/chain.ts';

/** A journal on Postgres as a real exchange wrote it, with its read models and names, and functions to damage each. */
export interface AuditedJournal {
  readonly connectionString: string;
  readonly journal: ReadOnlyJournal;
  readonly db: pg.Client;
  /** The schema of the read models. */
  readonly schema: string;
  readonly events: readonly StoredEvent[];
  /** Replaces all events by these, and sets the head to the last of them. */
  store(events: readonly StoredEvent[]): Promise<void>;
  /**
   * Restores the journal, the read models and the names.
   * @param damage the statement that changed them: then only the tables that it names are restored
   */
  restore(damage?: string): Promise<void>;
  close(): Promise<void>;
}

/** The salt is fixed for each decision, so that every run is the same. */
export async function auditedJournal(seed: number, commands: number): Promise<AuditedJournal> {
  const database = await testDatabase();
  const { connectionString } = database;
  const writable = await createPostgresJournal({ connectionString });
  const events = makeEvents(seed, commands);
  await appendAll(writable, events);
  const schema = await project(connectionString, writable, events.length);
  await writable.close();
  await ensureNameTables(connectionString);
  await storeTestNames(connectionString, 'main', namedIn(events));
  const journal = await openReadOnly(connectionString, 'main', 'audit');
  const db = new pg.Client({ connectionString });
  await db.connect();
  // Drops the constraints that refuse changed events and repeated ids.
  await db.query('alter table journal.events disable trigger all, drop constraint events_id_key');
  await db.query('create table public.events_before as select * from journal.events');
  const tables = [...(await copyTables(db, schema)), ...(await copyTables(db, 'coordination'))];
  const store = async (all: readonly StoredEvent[]): Promise<void> => {
    await db.query('truncate journal.events');
    if (all === events) {
      await db.query('insert into journal.events select * from public.events_before');
    } else {
      await db.query(
        `insert into journal.events (shard, seq, id, type, public_text, private_text, hash)
       select 'main', e.seq, e.id, e.type, e."publicText", e."privateText", e.hash from json_to_recordset($1::json) as e
         (seq bigint, id uuid, type text, "publicText" text, "privateText" text, hash text)`,
        [JSON.stringify(all)],
      );
    }
    const last = all.at(-1) ?? EMPTY_HEAD;
    await db.query('delete from journal.head');
    await db.query(`insert into journal.head (shard, seq, hash) values ('main', $1, $2)`, [last.seq, last.hash]);
  };
  return {
    connectionString,
    journal,
    db,
    schema,
    events,
    store,
    async restore(damage) {
      if (damage?.includes('journal.') !== false) await store(events);
      for (const table of tables.filter(({ name }) => damage?.includes(name) !== false)) {
        await db.query(`truncate ${table.name}; insert into ${table.name} select * from ${table.copy}`);
      }
    },
    async close() {
      await db.end();
      await journal.close();
      await database.close();
    },
  };
}

/** The events after a change, with new sequences and hashes in the rows and texts. */
export function rehashed(events: readonly StoredEvent[]): StoredEvent[] {
  let before = EMPTY_HEAD.hash;
  return events.map((event, index) => {
    const text = { ...(JSON.parse(event.publicText) as object), seq: index + 1 };
    const moved = event.seq === index + 1 ? event : { ...event, seq: index + 1, publicText: JSON.stringify(text) };
    before = chainHash(before, moved);
    return { ...moved, hash: before };
  });
}

/** Appends events to an empty journal, in batches within the journal's limit. */
export async function appendAll(journal: Journal, events: readonly StoredEvent[]): Promise<void> {
  let head: Head = EMPTY_HEAD;
  for (let from = 0; from < events.length; from += 500) {
    const batch = events.slice(from, from + 500);
    await journal.append(head, batch);
    const last = batch.at(-1);
    if (last !== undefined) head = { hash: last.hash, seq: last.seq };
  }
}

/** The stored events that a real exchange decides. */
export function makeEvents(seed: number, commands: number, settings: Settings = DEFAULT_SETTINGS): StoredEvent[] {
  const workload = createWorkload({ byPrimaries: true, seed, settings });
  const stored: StoredEvent[] = [];
  let decisions = 0;
  const exchange = new StoredExchange(undefined, () => (decisions += 1).toString(16).padStart(32, '0'));
  for (let i = 0; i < commands; i += 1) {
    const command = withTestName(workload.next());
    const taken = exchange.take(command);
    workload.observe(command, taken.decision);
    stored.push(...taken.stored);
  }
  return stored;
}

/** Gives the command the digest of a known name, where it has a name digest. */
function withTestName(command: Command): Command {
  const hasDigest = 'nameDigest' in command && /^[0-9a-f]{64}$/.test(command.nameDigest);
  if (!hasDigest) return command;
  const of = command.type === 'RenameAccount' ? command.id : command.accountId;
  return { ...command, nameDigest: testName(of).nameDigest };
}

async function project(connectionString: string, journal: Journal, seq: number): Promise<string> {
  const db = connectReadModels({ connectionString });
  await prepareReadModels(db);
  const schema = (await activeSchema(db)) ?? '';
  await catchUp(await Projection.open(db, schema), journal, seq, { batchSize: 200 });
  await db.destroy();
  return schema;
}

/** The names that the events give, and do not forget: those of opened accounts by their ids, and of renamed ones. */
export function namedIn(events: readonly StoredEvent[]): readonly (string | TestRename)[] {
  const named = new Map<string, (string | TestRename)[]>();
  for (const stored of events) {
    const { event } = decode(stored);
    if (event.type === 'AccountOpened' || event.type === 'SubAccountOpened') {
      named.set(event.accountId, [event.accountId]);
    } else if (event.type === 'AccountRenamed') {
      const { commandId } = JSON.parse(stored.publicText) as { commandId: string };
      named.get(event.accountId)?.push({ accountId: event.accountId, commandId });
    } else if (event.type === 'DisplayNameForgotten') {
      named.delete(event.accountId);
    }
  }
  return [...named.values()].flat();
}

interface CopiedTable {
  readonly name: string;
  readonly copy: string;
}

async function copyTables(db: pg.Client, schema: string): Promise<readonly CopiedTable[]> {
  const { rows } = await db.query<{ name: string }>('select tablename as name from pg_tables where schemaname = $1', [
    schema,
  ]);
  const copies = `copies_of_${schema}`;
  await db.query(`create schema ${copies}`);
  const tables = rows.map(({ name }) => ({ copy: `${copies}.${name}`, name: `${schema}.${name}` }));
  for (const { copy, name } of tables) await db.query(`create table ${copy} as select * from ${name}`);
  return tables;
}
