import { createPostgresJournal } from '@paper/journal';
import { verifyJournal } from '@paper/auditor';
import { answerParent } from '../../index.ts';

/** A task for a separate process on a journal, and its measurements. */
export interface Run {
  readonly connectionString: string;
  readonly what: 'read' | 'journal' | 'journal and read models';
}

export interface Measured {
  readonly events: number;
  readonly rows: number;
  readonly ms: number;
  /** CPU time of this process, all of its threads. */
  readonly cpuMs: number;
  /** Peak memory in MB. */
  readonly peakMb: number;
}

/** The page size of the audit. */
const PAGE = 1_000;

answerParent(measure);

async function measure({ connectionString, what }: Run): Promise<Measured> {
  const journal = await createPostgresJournal({ connectionString });
  const { seq: events } = await journal.head();
  const [begunMs, begun] = [performance.now(), process.cpuUsage()];
  let rows = 0;
  if (what === 'read') {
    for (let next = 1; next <= events; next += PAGE) await journal.read(next, PAGE);
  } else {
    const readModelsUrl = what === 'journal' ? undefined : connectionString;
    const { fault, readModels } = await verifyJournal({ journal, readModelsUrl, shard: 'main' });
    if (fault !== null) throw fault;
    rows = readModels?.rows ?? 0;
  }
  const [ms, { system, user }] = [performance.now() - begunMs, process.cpuUsage(begun)];
  await journal.close();
  return { cpuMs: (system + user) / 1000, events, ms, peakMb: process.resourceUsage().maxRSS / 1024, rows };
}
