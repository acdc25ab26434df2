import { createPostgresJournal } from '@paper/journal';
import { verifyJournal } from '@paper/auditor';
import { measureRun } from '../../harness/measured-run.ts';
import { answerParent } from '../../index.ts';

export interface Run {
  readonly connectionString: string;
  readonly what: 'read' | 'journal' | 'journal and read models';
}

/** The page size of the audit. */
const PAGE = 1_000;

answerParent(measure);

export type Measured = Awaited<ReturnType<typeof measure>>;

async function measure({ connectionString, what }: Run) {
  const journal = await createPostgresJournal({ connectionString });
  const { seq: events } = await journal.head();
  const { value: rows, ...figures } = await measureRun(async () => {
    if (what === 'read') {
      for (let next = 1; next <= events; next += PAGE) await journal.read(next, PAGE);
      return 0;
    }
    const readModelsUrl = what === 'journal' ? undefined : connectionString;
    const { fault, readModels } = await verifyJournal({ journal, readModelsUrl, shard: 'main' });
    if (fault !== null) throw fault;
    return readModels?.rows ?? 0;
  });
  await journal.close();
  return { ...figures, events, rows };
}
