import type { Check } from '../src/index.ts';

/** What is wrong in the tables around the events, which no event shows. */
export interface TableDamage {
  readonly check: Check;
  /** Made with the schema of the read models. */
  readonly damage: (schema: string) => string;
  /** Takes back what the rows alone do not; nothing where that is all. */
  readonly undo?: (schema: string) => string;
  /** What its message must tell. */
  readonly tells: RegExp;
}

const NULLABLE = (column: string): string =>
  `alter table journal.events alter ${column} drop not null; update journal.events set ${column} = null where seq = 1501`;
const NOT_NULL =
  (column: string): (() => string) =>
  () =>
    `delete from journal.events where seq = 1501; alter table journal.events alter ${column} set not null`;

/** In the tables of the journal. */
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
      'update journal.head set seq = events.seq, hash = events.hash from journal.events where events.seq = 2000',
    tells: /at sequence 2001 events up to \d+ are there, but the journal's head says that it ends at 2000/,
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
};

/** In the tables of the read models, and in what names them. */
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
      `insert into ${schema}.checkpoint select 'other', 5, hash, at, retired, 0 from ${schema}.checkpoint`,
    tells: /checkpoint has 2 rows, main at \d+, other at 5; one belongs there, main/,
  },
  'a checkpoint row of another name': {
    check: 'read models',
    damage: (schema) => `update ${schema}.checkpoint set name = 'other'`,
    tells: /checkpoint has 1 row, other at \d+; one belongs there, main/,
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

function copyOfEvent(shard: string, seq: number): string {
  return `insert into journal.events select '${shard}', ${seq}, id, type, public_text, private_text, hash
    from journal.events where shard = 'main' and seq = 5`;
}
