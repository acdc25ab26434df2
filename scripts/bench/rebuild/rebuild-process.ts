import { createPostgresJournal } from '@paper/journal';
import { rebuild } from '@paper/read-models';
import { timed, type Took } from './timed.ts';

/** What the process tells its parent at its end. */
export interface RebuildTook extends Took {
  readonly schema: string;
}

/** A rebuild of the journal in the database, by a process that does nothing else; its parent is told what it took. */
const [connectionString = '', postmaster = ''] = process.argv.slice(2);
const journal = await createPostgresJournal({ connectionString });
const { result, ...took } = await timed(Number(postmaster), (filled) =>
  rebuild({
    connectionString,
    journal,
    onProgress: ({ phase }) => {
      if (phase === 'indexing') filled();
    },
  }),
);
await journal.close();
process.send?.({ ...took, schema: result.schema } satisfies RebuildTook);
process.disconnect();
