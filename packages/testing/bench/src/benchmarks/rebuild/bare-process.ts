import { createPostgresJournal } from '@paper/journal';
import { rebuilding } from '@paper/read-models';
import { answerParent } from '../../index.ts';
import { runBareRebuild } from './bare-rebuild.ts';
import { BareTables } from './bare-tables.ts';
import { timed } from './timed.ts';
import type { ElapsedTimes } from './timed.ts';

/** A journal that a separate process folds in plain code. */
export interface BareRebuild {
  readonly connectionString: string;
  /** The process id of its Postgres. */
  readonly postmaster: number;
  /** The schema whose tables it makes again. */
  readonly model: string;
}

answerParent(async ({ connectionString, model, postmaster }: BareRebuild): Promise<ElapsedTimes> => {
  const journal = await createPostgresJournal({ connectionString });
  const tables = await BareTables.open(connectionString, model, rebuilding.TABLES_AT_ONCE);
  await tables.create();
  const { allMs, fillMs, processorMs } = await timed(postmaster, (filled) => runBareRebuild(tables, journal, filled));
  await tables.compare();
  await tables.drop();
  await tables.close();
  await journal.close();
  return { allMs, fillMs, processorMs };
});
