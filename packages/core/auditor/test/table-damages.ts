import type { Check } from '../src/index.ts';

/** A fault of the tables around the events, which no event shows. */
export interface TableDamage {
  readonly check: Check;
  /** Applied with the schema of the read models. */
  readonly damage: (schema: string) => string;
  /** Reverts the part of the damage that restoring the rows leaves; absent where restoring the rows is enough. */
  readonly undo?: (schema: string) => string;
  /** A pattern of the fault's message. */
  readonly tells: RegExp;
}

const NULLABLE = (column: string): string =>
  `alter table journal.events alter ${column} drop not null; update journal.events set ${column} = null where seq = 1501`;
const NOT_NULL =
  (column: string): (() => string) =>
  () =>
    `delete from journal.events where seq = 1501; alter table journal.events alter ${column} set not null`;

/** Damages of the journal's tables. */
export const JOURNAL_TABLE_DAMAGES: Readonly<Record<string, TableDamage>> = {
  'a head row that was lost': {
    check: 'contiguous sequence',
    damage: () => 'delete from journal.head',
    tells: /journal\.head has no row of shard main, but events up to sequence \d+ are there; right would be: a row/,
  },
  'an empty head row': {
    check: 'contiguous sequence',
    damage: () => `update journal.head set seq = 0, hash = repeat('0', 64)`,
    tells: /at sequence 1 events up to \d+ are there, but the journal's head says that it ends at 0/,
  },
  'a head row that ends before the events do': {
    check: 'contiguous sequence',
    damage: () =>
      'update journal.head set seq = events.seq, hash = events.hash from journal.events where events.seq = 1800',
    tells: /at sequence 1801 events up to \d+ are there, but the journal's head says that it ends at 1800/,
  },
  'a head row of another hash': {
    check: 'hash chain',
    damage: () => `update journal.head set hash = repeat('a', 64)`,
    tells: /the journal's head says the hash a{64}; right would be: [0-9a-f]{64}/,
  },
  'a second head row': {
    check: 'contiguous sequence',
    damage: () =>
      `alter table journal.head drop constraint head_pkey; insert into journal.head values ('main', 7, repeat('b', 64))`,
    undo: () => 'delete from journal.head; alter table journal.head add primary key (shard)',
    tells: /journal\.head has 2 rows of shard main: (\d+, 7|7, \d+); right would be: one/,
  },
  'an event of sequence 0': {
    check: 'contiguous sequence',
    damage: () => copyOfEvent('main', 0),
    tells: /an event stands before the first: 0; right would be: sequences from 1 on/,
  },
  'an event far beyond the head': {
    check: 'contiguous sequence',
    damage: () => copyOfEvent('main', 1_000_000),
    tells: /events up to 1000000 are there, but the journal's head says that it ends at \d+/,
  },
  'an event of a shard without a head': {
    check: 'contiguous sequence',
    damage: () => copyOfEvent('ghost', 1),
    tells: /events of shard ghost are there, of which journal\.head has no row/,
  },
  'a public text that is NULL': {
    check: 'schema',
    damage: () => NULLABLE('public_text'),
    undo: NOT_NULL('public_text'),
    tells: /at sequence 1501 \(\w+ [0-9a-f-]{36}\) its public text is NULL; right would be: a text/,
  },
  'a hash that is NULL': {
    check: 'schema',
    damage: () => NULLABLE('hash'),
    undo: NOT_NULL('hash'),
    tells: /at sequence 1501 .* its hash is NULL/,
  },
  'a foreign table beside the events': {
    check: 'tables',
    damage: () => 'create table journal.notes (note text)',
    undo: () => 'drop table journal.notes',
    tells: /schema journal has the table notes; right would be: .*events.* and nothing else/,
  },
  'a foreign view beside the events': {
    check: 'tables',
    damage: () => 'create view journal.recent as select 1 as one',
    undo: () => 'drop view journal.recent',
    tells: /schema journal has the view recent/,
  },
  'a table elsewhere whose rows are read as events': {
    check: 'tables',
    damage: () => 'create table public.heir () inherits (journal.events)',
    undo: () => 'drop table public.heir',
    tells: /table journal\.events is inherited by (public\.)?heir, whose rows are read as its own/,
  },
  'a public view that leaves an event out': {
    check: 'tables',
    damage: () => publicView('private_text', 'where seq <> 1501'),
    undo: () => publicView('private_text', ''),
    tells:
      /the view journal\.public_events is SELECT .* FROM journal\.events WHERE .*1501.*; right would be: the public part of every event/,
  },
  'a public view with other digests': {
    check: 'tables',
    damage: () => publicView('public_text', ''),
    undo: () => publicView('private_text', ''),
    tells: /the view journal\.public_events is SELECT .*convert_to\((events\.)?public_text/,
  },
  'a public view with the rights of its readers': {
    check: 'tables',
    damage: () => 'alter view journal.public_events set (security_invoker = true)',
    undo: () => 'alter view journal.public_events reset (security_invoker)',
    tells: /the view journal\.public_events is \(security_invoker=true\) SELECT/,
  },
  'events that some roles do not see': {
    check: 'tables',
    damage: () => 'alter table journal.events enable row level security',
    undo: () => 'alter table journal.events disable row level security',
    tells: /table journal\.events has row level security, which hides rows from some roles; right would be: the same/,
  },
};

/** Defines the public view anew. */
function publicView(digested: string, where: string): string {
  return `create or replace view journal.public_events as
    select shard, seq, id, type, public_text, hash,
      coalesce(encode(sha256(convert_to(${digested}, 'UTF8')), 'hex'), repeat('0', 64)) as private_digest
    from journal.events ${where}`;
}

/** Damages of the read models' tables and their registry. */
export const READ_MODEL_DAMAGES: Readonly<Record<string, TableDamage>> = {
  'read models that are not there': {
    check: 'read models',
    damage: () => 'alter schema read_models rename to elsewhere',
    undo: () => 'alter schema elsewhere rename to read_models',
    tells: /the read models cannot be found: relation "read_models\.versions" does not exist/,
  },
  'read models that nothing names': {
    check: 'read models',
    damage: () => `update read_models.versions set status = 'former'`,
    undo: () => `update read_models.versions set status = 'active'`,
    tells: /read_models\.versions names no schema that is active; right would be: read models with one checkpoint/,
  },
  'read models of a schema that is gone': {
    check: 'read models',
    damage: (schema) => `alter schema ${schema} rename to elsewhere`,
    undo: (schema) => `alter schema elsewhere rename to ${schema}`,
    tells: /the read models cannot be found: relation "read_\w+\.checkpoint" does not exist/,
  },
  'two schemas that are active': {
    check: 'read models',
    damage: () => `
      drop index read_models.versions_one_active;
      insert into read_models.versions select 'read_twin', version, 'active' from read_models.versions`,
    undo: () => `
      delete from read_models.versions where schema = 'read_twin';
      create unique index versions_one_active on read_models.versions (version) where status = 'active'`,
    tells: /read_models\.versions names two active schemas of version \d+: read_twin, read_v|: read_v\w+, read_twin/,
  },
  'a checkpoint without a row': {
    check: 'read models',
    damage: (schema) => `delete from ${schema}.checkpoint`,
    tells: /read_\w+\.checkpoint has no row; right would be/,
  },
  'a second checkpoint row': {
    check: 'read models',
    damage: (schema) =>
      `insert into ${schema}.checkpoint select 'other', 5, hash, at_ms, retired, 0 from ${schema}.checkpoint`,
    tells: /checkpoint has 2 rows, main at \d+, other at 5; one belongs there, main/,
  },
  'a checkpoint row of another name': {
    check: 'read models',
    damage: (schema) => `update ${schema}.checkpoint set name = 'other'`,
    tells: /checkpoint has 1 row, other at \d+; one belongs there, main/,
  },
  'a checkpoint that says that it is retired': {
    check: 'read models',
    damage: (schema) => `update ${schema}.checkpoint set retired = true`,
    tells: /their checkpoint says that they are retired, so they are not read; right would be: false/,
  },
  'a checkpoint that is served from a sequence which it has reached': {
    check: 'read models',
    damage: (schema) => `update ${schema}.checkpoint set served_from = 1`,
    tells: /their checkpoint says that they are served from 1; right would be: 0, or a later event than \d+/,
  },
  'a checkpoint that is served from a sequence beyond the journal': {
    check: 'read models',
    damage: (schema) => `update ${schema}.checkpoint set served_from = seq + 1`,
    tells: /their checkpoint says that they are served from \d+; right would be: 0, or/,
  },
  'a foreign table among the read models': {
    check: 'tables',
    damage: (schema) => `create table ${schema}.notes (note text)`,
    undo: (schema) => `drop table ${schema}.notes`,
    tells: /schema read_\w+ has the table notes; right would be: checkpoint, accounts, .*, and nothing else/,
  },
  'a foreign materialized view among the read models': {
    check: 'tables',
    damage: (schema) => `create materialized view ${schema}.cached as select 1 as one`,
    undo: (schema) => `drop materialized view ${schema}.cached`,
    tells: /schema read_\w+ has the materialized view cached/,
  },
  'a foreign table where the read models are named': {
    check: 'tables',
    damage: () => 'create table read_models.notes (note text)',
    undo: () => 'drop table read_models.notes',
    tells: /schema read_models has the table notes; right would be: schema_number, versions, and nothing else/,
  },
};

/** Accounts that have one name alone. */
const NAMED_ONCE = `from coordination.names group by account_id having count(*) = 1`;
const ONE_NAME = `(select account_id ${NAMED_ONCE} order by account_id limit 1)`;
const OTHER_NAME = `(select account_id ${NAMED_ONCE} order by account_id desc limit 1)`;
const ONE_RENAMED = "(select min(account_id) from coordination.names where digest <> '')";
const OF_ACCOUNT = String.raw`account [0-9a-f-]{36} \(sequence \d+\)`;
const told = (text: string): RegExp => new RegExp(text.replace('OF', OF_ACCOUNT));

/** Damages of the table of display names. */
export const NAME_DAMAGES: Readonly<Record<string, TableDamage>> = {
  'a name that is missing': {
    check: 'names',
    damage: () => `delete from coordination.names where account_id = ${ONE_NAME}`,
    tells: told(
      String.raw`at sequence \d+ \((Sub)?AccountOpened [0-9a-f-]{36}\) OF has no name; right would be: in coordination\.names`,
    ),
  },
  'all names missing': {
    check: 'names',
    damage: () => 'delete from coordination.names',
    tells: told(String.raw`OF has no name; (account .* has no name; ){9}and \d+ more; right would be`),
  },
  'a name of another text': {
    check: 'names',
    damage: () => `update coordination.names set name = name || '.' where account_id = ${ONE_NAME}`,
    tells: told('the name of OF has the digest [0-9a-f]{64}, and not [0-9a-f]{64} as in its event; right'),
  },
  'a name of another salt': {
    check: 'names',
    damage: () => `update coordination.names set salt = '\\x00' where account_id = ${ONE_NAME}`,
    tells: told('the name of OF has the digest'),
  },
  'two names exchanged': {
    check: 'names',
    damage: () => `
      update coordination.names n set (salt, name) = (select salt, name from coordination.names o
        where o.account_id = case n.account_id when ${ONE_NAME} then ${OTHER_NAME}
          else ${ONE_NAME} end)
      where n.account_id in (${ONE_NAME}, ${OTHER_NAME})`,
    tells: told('the name of OF has the digest .*; the name of account .* has the digest'),
  },
  'a name that is NULL': {
    check: 'names',
    damage: () =>
      `alter table coordination.names alter name drop not null;
       update coordination.names set name = null where account_id = ${ONE_NAME}`,
    undo: () =>
      'delete from coordination.names where name is null; alter table coordination.names alter name set not null',
    tells: told('the name of OF has the digest NULL'),
  },
  'a second name of an account': {
    check: 'names',
    damage: () =>
      `alter table coordination.names drop constraint names_pkey;
       insert into coordination.names select account_id, shard, salt, 'Other', false from coordination.names
         where account_id = ${ONE_NAME}`,
    undo: () => 'delete from coordination.names; alter table coordination.names add primary key (account_id, digest)',
    tells: told('OF has several names'),
  },
  'a name of another shard': {
    check: 'names',
    damage: () => `update coordination.names set shard = 'other' where account_id = ${ONE_NAME}`,
    tells: told('the name of OF is of shard other'),
  },
  'a name that is pending although its account is open': {
    check: 'names',
    damage: () => `update coordination.names set pending = true where account_id = ${ONE_NAME}`,
    tells: told(
      'the name of OF is pending, although it is open; right would be: in coordination.names one settled row',
    ),
  },
  'a name of no account': {
    check: 'names',
    damage: () =>
      `insert into coordination.names values ('01900000-0000-7000-8000-000000000000', 'main', '', 'Nobody', false),
         ('nobody', 'main', '', 'Nobody', false)`,
    tells:
      /account 01900000-0000-7000-8000-000000000000 has a name, and was never opened; account nobody has a name, and/,
  },
  'a later name that is missing': {
    check: 'names',
    damage: () =>
      "delete from coordination.names where digest = (select min(digest) from coordination.names where digest <> '')",
    tells: told(String.raw`at sequence \d+ \(AccountRenamed [0-9a-f-]{36}\) OF has no name`),
  },
  'a former name that is missing': {
    check: 'names',
    damage: () => `delete from coordination.names where digest = '' and account_id = ${ONE_RENAMED}`,
    tells: told(String.raw`at sequence \d+ \((Sub)?AccountOpened [0-9a-f-]{36}\) OF has no name`),
  },
  'a later name of another text': {
    check: 'names',
    damage: () => `update coordination.names set name = name || '.' where digest <> '' and account_id = ${ONE_RENAMED}`,
    tells: told('the name of OF has the digest [0-9a-f]{64}, and not [0-9a-f]{64} as in its event'),
  },
  'a later name that no event gives': {
    check: 'names',
    damage: () =>
      `insert into coordination.names values (${ONE_RENAMED}, 'main', '', 'Second', false, repeat('0', 64))`,
    undo: () => "delete from coordination.names where name = 'Second'",
    tells: /account [0-9a-f-]{36} has a name with the digest 0{64}, which no event gives it/,
  },
  'a name that was forgotten': {
    check: 'names',
    damage: (schema) =>
      `insert into coordination.names select id, 'main', '', 'Ann', false from ${schema}.accounts
         where forgotten_seq is not null order by id limit 1`,
    undo: () => "delete from coordination.names where name = 'Ann'",
    tells:
      /account [0-9a-f-]{36} has a name that was forgotten at sequence \d+; right would be: in coordination\.names/,
  },
  'a table of names that is not there': {
    check: 'names',
    damage: () => 'alter table coordination.names rename to elsewhere',
    undo: () => 'alter table coordination.elsewhere rename to names',
    tells: told('there is no table coordination.names: OF has no name'),
  },
  'a table of names without texts': {
    check: 'names',
    damage: () => 'alter table coordination.names rename name to elsewhere',
    undo: () => 'alter table coordination.names rename elsewhere to name',
    tells: /coordination\.names cannot be read: column "name" does not exist/,
  },
  'a foreign table beside the names': {
    check: 'tables',
    damage: () => 'create table coordination.notes (note text)',
    undo: () => 'drop table coordination.notes',
    tells:
      /schema coordination has the table notes; right would be: key_uses, leases, names, secrets, and nothing else/,
  },
};

function copyOfEvent(shard: string, seq: number): string {
  return `insert into journal.events select '${shard}', ${seq}, id, type, public_text, private_text, hash
    from journal.events where shard = 'main' and seq = 5`;
}
