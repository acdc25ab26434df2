import type { ClientBase } from 'pg';
import { EMPTY_HEAD, JournalDamaged, type Head } from '../port.ts';

/** Appends are announced on this channel as `<shard> <sequence>`. */
export const CHANNEL = 'journal_appended';

/**
 * The texts are `text`, since their bytes are hashed and jsonb would reorder them. Positions are the writer's, never a
 * database sequence: those are given out before the commit, and a reader would pass over what commits late.
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
`;

/**
 * Makes the journal's tables where they are missing, and the shard's empty head where it has neither a head nor events.
 * Needs no right to create where all of it is there already.
 *
 * @throws JournalDamaged where the head and the last event do not agree, with nothing changed: a writer that began anew
 *   would write beside the events that are there.
 */
export async function prepareSchema(client: ClientBase, shard: string): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('journal.head') is not null and to_regclass('journal.events') is not null as there`,
  );
  if (rows[0]?.there !== true) await client.query(SCHEMA);
  const { head, last } = await readEnds(client, shard);
  if (head === null && last === null) {
    await client.query('insert into journal.head (shard, seq, hash) values ($1, $2, $3) on conflict do nothing', [
      shard,
      EMPTY_HEAD.seq,
      EMPTY_HEAD.hash,
    ]);
    return;
  }
  const [said, found] = [head, last ?? EMPTY_HEAD];
  if (said?.seq === found.seq && said.hash === found.hash) return;
  throw new JournalDamaged(
    `The journal of shard ${shard} is damaged: journal.head has ${said === null ? 'no row' : nameOf(said)}, and the last ` +
      `of journal.events is ${last === null ? 'none' : nameOf(last)}. Nothing was changed. What to do is in ` +
      'docs/audit.md, "A damaged journal"; `npm run audit -- verify` says what is wrong.',
  );
}

const nameOf = ({ hash, seq }: Head): string => `sequence ${seq} with the hash ${hash}`;

/** What the head's row and the last event say, at one moment; null where there is none. */
async function readEnds(
  client: ClientBase,
  shard: string,
): Promise<{ readonly head: Head | null; readonly last: Head | null }> {
  const { rows } = await client.query<{ hash: string; name: 'head' | 'last'; seq: string }>(
    `(select 'head' as name, seq, hash from journal.head where shard = $1)
     union all
     (select 'last', seq, hash from journal.events where shard = $1 order by seq desc limit 1)`,
    [shard],
  );
  const endOf = (name: 'head' | 'last'): Head | null => {
    const row = rows.find((found) => found.name === name);
    return row === undefined ? null : { hash: row.hash, seq: Number(row.seq) };
  };
  return { head: endOf('head'), last: endOf('last') };
}
