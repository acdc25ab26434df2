import { exportJournal } from '@paper/exports';
import type { TableName } from '@paper/exports';
import { createPostgresJournal } from '@paper/journal';
import { answerParent } from '../../index.ts';

/** An export for a separate process, and its measurements. */
export interface Run {
  readonly connectionString: string;
  /** The journal ends here for the export. */
  readonly events: number;
  readonly out: string;
  readonly tables: readonly TableName[];
}

export interface Measured {
  readonly bytes: number;
  readonly ms: number;
  /** CPU time of this process, all of its threads. */
  readonly cpuMs: number;
  /** Peak memory in MB. */
  readonly peakMb: number;
}

answerParent(measure);

async function measure({ connectionString, events, out, tables }: Run): Promise<Measured> {
  const journal = await createPostgresJournal({ connectionString });
  const last = (await journal.read(events, 1))[0];
  if (last === undefined) throw new RangeError(`the journal has no event ${events}`);
  const [begunMs, begun] = [performance.now(), process.cpuUsage()];
  const made = await exportJournal({
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
  });
  const [ms, { system, user }] = [performance.now() - begunMs, process.cpuUsage(begun)];
  await journal.close();
  const bytes = Object.values(made.tables).reduce((sum, table) => sum + table.bytes, 0);
  return { bytes, cpuMs: (system + user) / 1000, ms, peakMb: process.resourceUsage().maxRSS / 1024 };
}
