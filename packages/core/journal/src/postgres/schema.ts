import type { ClientBase } from 'pg';
import { EMPTY_HEAD, JournalDamaged } from '../port.ts';
import type { Head } from '../port.ts';

/** The channel on which appends are announced as `<shard> <sequence>`. */
export const CHANNEL = 'journal_appended';

/**
 * The texts have type `text`: their bytes are hashed, and jsonb would reorder them. The writer assigns the positions: a
 * sequence would assign them before the commit, and a reader would skip what is committed late.
 */
const SCHEMA = `
  -- Two processes that start at once must not both create.
  select pg_advisory_xact_lock(7203115);

  create schema if not exists journal;

  create table if not exists journal.head (
    shard text primary key,
    seq bigint not null,
    hash text not null
  );

  create table if not exists journal.events (
    shard text not null,
    seq bigint not null,
    id uuid not null unique,
    type text not null,
    public_text text not null,
    private_text text,
    hash text not null,
    primary key (shard, seq)
  );

  create or replace function journal.refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception 'the journal only grows: % on journal.events is refused', tg_op using errcode = '42501';
  end
  $$;

  create or replace trigger events_only_grow before update or delete or truncate on journal.events
    for each statement execute function journal.refuse_change();

  -- What may be shown to everybody: of a private part its digest, by which the chain is checked.
  create or replace view journal.public_events as
    select shard, seq, id, type, public_text, hash,
      coalesce(encode(sha256(convert_to(private_text, 'UTF8')), 'hex'), repeat('0', 64)) as private_digest
    from journal.events;
`;

/**
 * How a process uses the journal: a `service` appends or follows, a `public reader` reads public parts only. If there
 * are separate database roles, neither may be able to change an event. Null: a command of the database's owner.
 */
export type JournalUse = 'service' | 'public reader' | null;

/** This connection may not use the journal in its present condition; the message says what to do. */
export class JournalRefused extends Error {
  override readonly name = 'JournalRefused';
}

interface Found {
  readonly tables: boolean;
  readonly view: boolean;
  readonly role: string;
  /** Whether the role is a member of the database's owner, and of the owner of the journal's schema. */
  readonly ownsDatabase: boolean;
  readonly ownsJournal: boolean;
}

const FIND = `
  select current_user as role,
    to_regclass('journal.head') is not null and to_regclass('journal.events') is not null as tables,
    to_regclass('journal.public_events') is not null as view,
    (select pg_has_role(current_user, datdba, 'member') from pg_database
      where datname = current_database()) as "ownsDatabase",
    coalesce((select pg_has_role(current_user, nspowner, 'member') from pg_namespace
      where nspname = 'journal'), false) as "ownsJournal"`;

/** Finds how the role could change an event, and whether roles other than the owner have rights to the journal. */
const FIND_CHANGERS = `
  select concat_ws(', ',
      case when (select rolsuper from pg_roles where rolname = current_user) then 'is a superuser' end,
      case when pg_has_role(current_user, c.relowner, 'member') or pg_has_role(current_user, n.nspowner, 'member')
        then 'owns the journal''s tables' end,
      case when has_table_privilege(c.oid, 'update') or has_table_privilege(c.oid, 'delete')
        or has_table_privilege(c.oid, 'truncate') or has_table_privilege(c.oid, 'trigger')
        then 'may update, delete or truncate events or make triggers' end) as how,
    exists (select from aclexplode(n.nspacl) a where a.grantee not in (0, n.nspowner)) as divided
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'journal' and c.relname = 'events'`;

const RUN_ROLES = "run `npm run roles` with the URL of the database's owner in DATABASE_URL";

/** Checks this connection. @throws JournalRefused if services have their own roles, and this role can change events. */
async function assertCannotChangeEvents(client: ClientBase, { role, ownsDatabase }: Found): Promise<void> {
  const { rows } = await client.query<{ how: string; divided: boolean }>(FIND_CHANGERS);
  const [found] = rows;
  // Without separate roles, all services connect as the owner.
  if (found === undefined || found.how === '' || (ownsDatabase && !found.divided)) return;
  throw new JournalRefused(
    `The database role ${role} could change the journal's events (it ${found.how}), and a service must not. ` +
      (ownsDatabase
        ? 'Give it the URL of its own role (COMMAND_DATABASE_URL, PROJECTOR_DATABASE_URL or READER_DATABASE_URL; ' +
          '`npm run roles` makes the roles).'
        : `To take the journal back, ${RUN_ROLES}.`),
  );
}

/** Creates the missing tables, as the owner. @throws JournalRefused for any other role. */
async function ensureTables(client: ClientBase, use: JournalUse): Promise<Found> {
  const { rows } = await client.query<Found>(FIND);
  const [found] = rows;
  if (found === undefined) throw new Error('Postgres has said nothing about itself');
  const { tables, view, role, ownsDatabase, ownsJournal } = found;
  if (!tables && !ownsDatabase) {
    throw new JournalRefused(
      `The journal's tables are not in this database, and ${role} is not its owner: ${RUN_ROLES}. ` +
        'Where the journal is in EventStoreDB, give every service its URL.',
    );
  }
  if (!tables || (!view && ownsJournal)) {
    await client.query(SCHEMA);
  } else if (!view && use === 'public reader') {
    throw new JournalRefused(`The view journal.public_events is not in this database: ${RUN_ROLES}.`);
  }
  return found;
}

/** Restores the tables, guards and view of a journal to those of a new journal, after its owner has taken it back. */
export async function restoreJournalGuards(client: Pick<ClientBase, 'query'>): Promise<void> {
  await client.query(`${SCHEMA} alter table journal.events enable trigger events_only_grow;`);
}

/**
 * Creates missing tables, and the shard's empty head if it has neither a head nor events.
 * @throws JournalRefused when this connection may not use the journal, or not create what is missing; JournalDamaged
 * when the head and the last event do not agree: a writer that began at an empty head would append beside existing
 * events.
 */
export async function prepareSchema(client: ClientBase, shard: string, use: JournalUse): Promise<void> {
  const found = await ensureTables(client, use);
  if (use !== null) await assertCannotChangeEvents(client, found);
  const { head, last } = await readEnds(client, shard, use);
  if (head === null && last === null) {
    // The command side creates the tables when it starts.
    if (use === 'public reader' && !found.ownsJournal) return;
    await client.query('insert into journal.head (shard, seq, hash) values ($1, $2, $3) on conflict do nothing', [
      shard,
      EMPTY_HEAD.seq,
      EMPTY_HEAD.hash,
    ]);
    return;
  }
  const [stored, end] = [head, last ?? EMPTY_HEAD];
  if (stored?.seq === end.seq && stored.hash === end.hash) return;
  throw new JournalDamaged(
    `The journal of shard ${shard} is damaged: journal.head has ${stored === null ? 'no row' : nameOf(stored)}, and the last ` +
      `of journal.events is ${last === null ? 'none' : nameOf(last)}. Nothing was changed. What to do is in ` +
      'docs/prove/audit.md, "A damaged journal"; `npm run audit -- verify` says what is wrong.',
  );
}

const nameOf = ({ hash, seq }: Head): string => `sequence ${seq} with the hash ${hash}`;

/** Reads the head's row and the last event in one snapshot; null for what does not exist. */
async function readEnds(
  client: ClientBase,
  shard: string,
  use: JournalUse,
): Promise<{ readonly head: Head | null; readonly last: Head | null }> {
  const { rows } = await client.query<{ hash: string; name: 'head' | 'last'; seq: string }>(
    `(select 'head' as name, seq, hash from journal.head where shard = $1)
     union all
     (select 'last', seq, hash from journal.${use === 'public reader' ? 'public_events' : 'events'} where shard = $1 order by seq desc limit 1)`,
    [shard],
  );
  const endOf = (name: 'head' | 'last'): Head | null => {
    const row = rows.find((found) => found.name === name);
    return row === undefined ? null : { hash: row.hash, seq: Number(row.seq) };
  };
  return { head: endOf('head'), last: endOf('last') };
}
