import type { Pool } from 'pg';
import { JournalDamaged } from '../port.ts';

/** The codes with which Postgres reports a wrong checksum or header of a page: of a table, and of an index. */
const DAMAGED_PAGE: readonly unknown[] = ['XX001', 'XX002'];

/** Whether the error says that Postgres found a damaged page. */
export function isDamagedPage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DAMAGED_PAGE.includes(error.code);
}

/** Finds the first and the last unreadable event of a range by bisection; events between them may be readable. */
export async function damageIn(
  read: (fromSeq: number, limit: number) => Promise<unknown>,
  fromSeq: number,
  limit: number,
  cause: unknown,
): Promise<JournalDamaged> {
  const isReadable = (from: number, count: number): Promise<boolean> =>
    read(from, count).then(
      () => true,
      (error: unknown) => (isDamagedPage(error) ? false : Promise.reject(error as Error)),
    );
  let first = fromSeq;
  for (let count = limit; count > 1;) {
    const half = Math.floor(count / 2);
    const isBefore = !(await isReadable(first, half));
    if (!isBefore) first += half;
    count = isBefore ? half : count - half;
  }
  let last = fromSeq + limit - 1;
  for (let count = last - first + 1; count > 1;) {
    const half = Math.floor(count / 2);
    const isAfter = !(await isReadable(last - half + 1, half));
    if (!isAfter) last -= half;
    count = isAfter ? half : count - half;
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new JournalDamaged(
    `${first === last ? `Sequence ${first}` : `Sequences ${first} to ${last}`} of the journal cannot be read: ${reason}. ` +
      'There are two ways on: restore a backup (docs/operate/backup.md), or find out what is left of the events ' +
      '(docs/prove/audit.md, "A damaged journal").',
    first,
    { cause },
  );
}

/** Finds the damage in the whole journal when its end cannot be read. Rejects when its head cannot be read either. */
export async function damageInAll(pool: Pool, shard: string, cause: unknown): Promise<JournalDamaged> {
  const { rows } = await pool.query<{ seq: string }>('select seq from journal.head where shard = $1', [shard]);
  // Leaves out the texts, of which there may be more than fits into memory. Their digest makes Postgres read them.
  const read = (fromSeq: number, limit: number): Promise<unknown> =>
    pool.query(
      'select count(md5(public_text)) from journal.events where shard = $1 and seq >= $2::bigint and seq < $2::bigint + $3::bigint',
      [shard, fromSeq, limit],
    );
  return damageIn(read, 1, Number(rows[0]?.seq ?? 1), cause);
}
