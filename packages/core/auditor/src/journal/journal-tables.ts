import type pg from 'pg';
import { Fault } from './fault.ts';
import { checkRelations } from './relations.ts';
import type { KnownRelations } from './relations.ts';

const JOURNAL: KnownRelations = { events: 'table', head: 'table', public_events: 'view' };

/** The public view as Postgres prints it, without white space, and without the table's name that Postgres 15 prints. */
const PUBLIC_EVENTS =
  "SELECTshard,seq,id,type,public_text,hash,COALESCE(encode(sha256(convert_to(private_text,'UTF8'::name)),'hex'::text)," +
  "repeat('0'::text,64))ASprivate_digestFROMjournal.events;";

/**
 * Checks a journal's tables, in one snapshot, for faults that no event shows: a missing, doubled or wrong head row,
 * rows that no reader requests, extra tables, and a public view that shows other events. @throws Fault
 */
export async function checkJournalTables(client: pg.ClientBase, shard: string): Promise<void> {
  await client.query('begin isolation level repeatable read read only');
  try {
    // With this search path Postgres prints a function of another schema with the schema's name.
    await client.query('set local search_path = pg_catalog');
    checkExtent(await readExtent(client, shard), shard);
    await checkShards(client);
    await checkRelations(client, 'journal', JOURNAL, 1);
    await checkPublicView(client);
  } finally {
    await client.query('rollback');
  }
}

async function readExtent(client: pg.ClientBase, shard: string) {
  const heads = await client.query<{ seq: string }>('select seq from journal.head where shard = $1', [shard]);
  const { rows } = await client.query<{ first: string | null; last: string | null }>(
    'select min(seq) as first, max(seq) as last from journal.events where shard = $1',
    [shard],
  );
  const numberOf = (text = null as string | null): number | null => (text === null ? null : Number(text));
  return {
    first: numberOf(rows[0]?.first),
    heads: heads.rows.map(({ seq }) => Number(seq)),
    last: numberOf(rows[0]?.last),
  };
}

function checkExtent({ first, heads, last }: Awaited<ReturnType<typeof readExtent>>, shard: string): void {
  const [head, second] = heads;
  const fault = (seq: number, found: string, expected: string): Fault =>
    new Fault('contiguous sequence', seq, null, found, expected);
  if (head === undefined) {
    const found = `journal.head has no row of shard ${shard}, but events up to sequence ${last} are there`;
    throw fault(last ?? 1, found, 'a row with the sequence and the hash of the last event');
  }
  if (second !== undefined) {
    throw fault(head, `journal.head has ${heads.length} rows of shard ${shard}: ${heads.join(', ')}`, 'one');
  }
  if (first !== null && first < 1) {
    throw fault(first, `an event stands before the first: ${first}`, 'sequences from 1 on');
  }
  if (last !== null && last > head) {
    const found = `events up to ${last} are there, but the journal's head says that it ends at ${head}`;
    throw fault(head + 1, found, 'none');
  }
}

/** Refuses events of an unknown shard, which no reader would ever see. */
async function checkShards(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ shard: string }>(`
    with recursive shards (shard) as (
      select min(shard) from journal.events
      union all
      select (select min(events.shard) from journal.events where events.shard > shards.shard) from shards
      where shards.shard is not null
    )
    select shard from shards where shard not in (select shard from journal.head) order by shard limit 1`);
  const [unknown] = rows;
  if (unknown === undefined) return;
  const found = `events of shard ${unknown.shard} are there, of which journal.head has no row`;
  throw new Fault('contiguous sequence', 1, null, found, 'events of journals that have a head');
}

/** Checks the public view: one that leaves an event out would hide it from the public. */
async function checkPublicView(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ definition: string; options: string | null }>(
    `select pg_get_viewdef(oid) as definition, array_to_string(reloptions, ', ') as options
     from pg_class where oid = to_regclass('journal.public_events')`,
  );
  const hidden = await client.query(
    `select from pg_class where oid = to_regclass('journal.events') and relrowsecurity`,
  );
  if (hidden.rowCount !== 0) {
    const found = 'table journal.events has row level security, which hides rows from some roles';
    throw new Fault('tables', 1, null, found, 'the same events for every role');
  }
  for (const { definition, options } of rows) {
    const printed = definition.replaceAll(/\s/g, '').replaceAll(/(?<!journal\.)events\./g, '');
    if (printed === PUBLIC_EVENTS && options === null) continue;
    const found = `the view journal.public_events is${options === null ? '' : ` (${options})`} ${definition.replaceAll(/\s+/g, ' ').replace(/;$/, '').trim()}`;
    throw new Fault('tables', 1, null, found, 'the public part of every event, as the services made it');
  }
}
