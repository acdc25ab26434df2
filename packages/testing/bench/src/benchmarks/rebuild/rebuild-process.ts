import { createPostgresJournal } from '@paper/journal';
import { rebuilding } from '@paper/read-models';
import { answerParent } from '../../index.ts';
import { timeFill } from './time-fill.ts';

/** The database whose read models a separate process rebuilds. */
export interface RebuildInput {
  readonly connectionString: string;
  /** The process id of the database's Postgres. */
  readonly postmaster: number;
}

answerParent(rebuilt);

export type RebuildTimes = Awaited<ReturnType<typeof rebuilt>>;

async function rebuilt({ connectionString, postmaster }: RebuildInput) {
  const journal = await createPostgresJournal({ connectionString });
  const { result, ...took } = await timeFill(postmaster, (filled) =>
    rebuilding.rebuild({
      connectionString,
      journal,
      onProgress: ({ phase }) => {
        if (phase === 'indexing') filled();
      },
    }),
  );
  await journal.close();
  return { ...took, schema: result.schema };
}
