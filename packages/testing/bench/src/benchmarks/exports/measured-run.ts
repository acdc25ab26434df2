import { exportJournal } from '@paper/exports';
import type { TableName } from '@paper/exports';
import { createPostgresJournal } from '@paper/journal';
import { measureRun } from '../../harness/measured-run.ts';
import { answerParent } from '../../index.ts';

export interface Run {
  readonly connectionString: string;
  /** The number of events to export. */
  readonly events: number;
  readonly out: string;
  readonly tables: readonly TableName[];
}

answerParent(measure);

export type Measured = Awaited<ReturnType<typeof measure>>;

async function measure({ connectionString, events, out, tables }: Run) {
  const journal = await createPostgresJournal({ connectionString });
  const last = (await journal.read(events, 1))[0];
  if (last === undefined) throw new RangeError(`the journal has no event ${events}`);
  const { value: made, ...figures } = await measureRun(() =>
    exportJournal({
      accountId: null,
      format: 'parquet',
      fromMs: null,
      journal: { head: () => Promise.resolve(last), read: journal.read.bind(journal) },
      marketId: null,
      out,
      shard: 'main',
      signal: new AbortController().signal,
      tables,
      toMs: null,
    }),
  );
  await journal.close();
  const bytes = Object.values(made.tables).reduce((sum, table) => sum + table.bytes, 0);
  return { ...figures, bytes };
}
