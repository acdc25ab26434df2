import { onConnection, openPool } from '@paper/pg-bulk';
import { createEventStoreJournal, createPostgresJournal, EMPTY_HEAD } from '@paper/journal';
import { existsSync } from 'node:fs';
import type pg from 'pg';
import { checkJournalTables } from './journal-tables.ts';
import { PublicFile } from './public-file.ts';
import type { ReadOnlyJournal } from './public-file.ts';

/** No journal exists at the location. */
export class NoJournal extends Error {
  override readonly name = 'NoJournal';
}

/** The location has no event of this shard. Issued heads and read models show whether it had events before. */
export class EmptyJournal extends NoJournal {}

/** Stands for a journal that does not exist. */
export const NO_EVENTS: ReadOnlyJournal = {
  head: () => Promise.resolve(EMPTY_HEAD),
  read: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};

/** A use reads whole events and their tables, or only the view of public parts, which the readers' role may read. */
export type ReadUse = 'audit' | 'public parts';

/** The kind of journal at this location; null if no journal can be there. */
export function kindOfLocation(location: string): 'postgres' | 'eventstore' | 'file' | null {
  if (/^postgres(ql)?:/.test(location)) return 'postgres';
  if (/^esdb(\+discover)?:/.test(location)) return 'eventstore';
  return /^\w+:\/\//.test(location) ? null : 'file';
}

/**
 * Opens a journal for reading only, so that a wrong address creates no tables.
 * @param location `postgresql://…`, `esdb://…`, or a file of lines as GET /api/journal serves them
 * @throws NoJournal, EmptyJournal without an event of that shard, errors of the connection.
 */
export async function openReadOnly(location: string, shard: string, use: ReadUse): Promise<ReadOnlyJournal> {
  const kind = kindOfLocation(location);
  if (kind === 'postgres') return openPostgres(location, shard, use);
  if (kind === 'eventstore') {
    const journal = await createEventStoreJournal({ connectionString: location, shard });
    return unlessEmpty(journal, `There is no journal of shard ${shard} in that EventStoreDB.`);
  }
  if (kind === 'file' && existsSync(location)) {
    return unlessEmpty(new PublicFile(location), `There is no journal in ${location}: it has no events.`);
  }
  const given = /^\w+:/.test(location) ? `${location.split(':', 1)[0] ?? ''}:…` : location;
  throw new NoJournal(
    `A journal is at postgresql://… or esdb://…, or in a file that was downloaded from GET /api/journal; not at ${given}.`,
  );
}

async function unlessEmpty(journal: ReadOnlyJournal, otherwise: string): Promise<ReadOnlyJournal> {
  try {
    if ((await journal.head()).seq === 0) throw new EmptyJournal(otherwise);
    return journal;
  } catch (error) {
    await journal.close();
    throw error;
  }
}

async function openPostgres(connectionString: string, shard: string, use: ReadUse): Promise<ReadOnlyJournal> {
  const pool = openPool({ connectionString, max: 2, options: '-c default_transaction_read_only=on' });
  try {
    await checkThere(pool, shard, use);
    const journal = await createPostgresJournal({
      asFound: true,
      pool,
      shard,
      ...(use === 'audit' ? {} : { use: 'public reader' }),
    });
    return {
      head: () => journal.head(),
      read: (fromSeq, limit) => journal.read(fromSeq, limit),
      ...(use === 'audit'
        ? { checkTables: () => onConnection(pool, (client) => checkJournalTables(client, shard)) }
        : {}),
      close: async () => {
        await journal.close();
        // The journal does not close a pool that its caller made, so the pool is closed here.
        await pool.end();
      },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function checkThere(pool: pg.Pool, shard: string, use: ReadUse): Promise<void> {
  const needed = use === 'audit' ? ['journal.head'] : ['journal.head', 'journal.public_events'];
  const { rows } = await pool.query<{ there: boolean }>(
    `select bool_and(to_regclass(name) is not null) as there from unnest($1::text[]) name`,
    [needed],
  );
  if (rows[0]?.there !== true) {
    throw new EmptyJournal(`There is no journal in that database: no table ${needed.join(' with the view ')}.`);
  }
  const heads = await pool.query<{ shard: string }>('select shard from journal.head order by shard');
  const shards = heads.rows.map((head) => head.shard);
  if (shards.includes(shard)) return;
  // Events without a head row are a finding of the audit, not of this check.
  const hasEvents = 'select from journal.events where shard = $1 limit 1';
  if (use === 'audit' && (await pool.query(hasEvents, [shard])).rowCount !== 0) return;
  throw new EmptyJournal(
    `There is no journal of shard ${shard} in that database, but of: ${shards.join(', ') || 'none'} (SHARD).`,
  );
}
