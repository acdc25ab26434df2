import { createEventStoreJournal, createPostgresJournal, type Journal } from '@paper/journal';
import pg from 'pg';

/** Nothing that could be audited is where it was looked for. */
export class NoJournal extends Error {
  override readonly name = 'NoJournal';
}

/**
 * Opens a journal to read it only. In Postgres every transaction is a read-only one, so that a wrong address makes no
 * tables there; a role that may do no more than read is enough.
 *
 * @param url `postgresql://…` or `esdb://…`
 * @throws NoJournal for another kind of address, and where no journal of that shard is there; errors of the connection.
 */
export async function openReadOnly(url: string, shard: string): Promise<Journal> {
  if (/^esdb(\+discover)?:/.test(url)) return createEventStoreJournal({ connectionString: url, shard });
  if (!/^postgres(ql)?:/.test(url)) {
    throw new NoJournal(`A journal is at postgresql://… or esdb://…, not at ${url.split(':', 1)[0] ?? ''}:….`);
  }
  const pool = new pg.Pool({ connectionString: url, max: 2, options: '-c default_transaction_read_only=on' });
  pool.on('error', () => undefined);
  try {
    await checkThere(pool, shard);
    const journal = await createPostgresJournal({ pool, shard });
    return closing(journal, pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function checkThere(pool: pg.Pool, shard: string): Promise<void> {
  const { rows } = await pool.query<{ there: boolean }>(`select to_regclass('journal.head') is not null as there`);
  if (rows[0]?.there !== true) throw new NoJournal('There is no journal in that database: no table journal.head.');
  const heads = await pool.query<{ shard: string }>('select shard from journal.head order by shard');
  const shards = heads.rows.map((head) => head.shard);
  if (!shards.includes(shard)) {
    throw new NoJournal(
      `There is no journal of shard ${shard} in that database, but of: ${shards.join(', ') || 'none'}.`,
    );
  }
}

/** The journal leaves a pool open that it was given; here it is nobody else's. */
function closing(journal: Journal, pool: pg.Pool): Journal {
  return {
    append: (expected, batch) => journal.append(expected, batch),
    follow: (fromSeq, options) => journal.follow(fromSeq, options),
    head: () => journal.head(),
    read: (fromSeq, limit) => journal.read(fromSeq, limit),
    close: async () => {
      await journal.close();
      await pool.end();
    },
  };
}
