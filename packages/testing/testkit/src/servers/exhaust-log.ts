import { withClient } from '@paper/runtime';
import { eventually } from '../eventually.ts';

/** The length of a message in characters. Four messages fill a segment of the write-ahead log. */
const MESSAGE_LENGTH = 4_000_000;

/** Writes to the write-ahead log of a Postgres until the disk has no space for the next segment. Postgres ends then. */
export async function exhaustLog(connectionString: string): Promise<void> {
  const write = (): Promise<boolean> =>
    withClient({ connectionString }, async (client) => {
      await client.query(`select pg_logical_emit_message(false, 'full', repeat('x', ${MESSAGE_LENGTH}))`);
      return false;
    }).catch(() => true);
  await eventually('Postgres finds its log full', write, { everyMs: 0 });
}
