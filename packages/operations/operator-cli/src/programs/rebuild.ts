import { rebuilding } from '@paper/read-models';
import { report, runCommand, showProgress } from '@paper/commands';
import { withJournalSource } from '../journal-source.ts';
import type { JournalSource } from '../journal-source.ts';
import { statusTable } from '../rebuild/status-table.ts';

/**
 * `npm run rebuild` refills the read models from the journal. package.json sets a young generation of 64 MB: rows of a
 * batch would outlive a smaller one and be copied repeatedly.
 */
interface Options {
  readonly throttle?: number;
  readonly only?: 'leaderboard';
  readonly status?: true;
  readonly json?: true;
  readonly back?: true;
  readonly abort?: true;
  readonly retire?: true;
}

const DOING = {
  filling: 'filling',
  indexing: 'making indexes',
  checking: 'checking sums',
  swapping: 'swapping',
} as const;
await runCommand<Options>('rebuild', ({ options }) =>
  withJournalSource('nothing to rebuild', (source) => run(source, options)),
);

async function run(source: JournalSource, options: Options): Promise<void> {
  const { connectionString, journal } = source;
  if (options.status) return showStatus(source, options);
  if (options.abort) {
    const dropped = await rebuilding.abortRebuild(connectionString);
    reportDropped(options, dropped, 'thrown away', 'Nothing is half-filled.');
    return;
  }
  if (options.retire) {
    const dropped = await rebuilding.dropFormerSchemas(connectionString);
    reportDropped(options, dropped, 'dropped', 'There is nothing that served before.');
    return;
  }
  if (options.back) {
    const { schema, former, seq } = await rebuilding.returnToFormer({ connectionString, journal });
    const line = `Back: served from ${schema} at event ${seq} now, before from ${former ?? 'nothing'}.`;
    report(options, { schema, former, seq }, line);
    return;
  }
  await refill(source, options);
}

async function refill({ connectionString, journal }: JournalSource, options: Options): Promise<void> {
  const progress = showProgress();
  const begunMs = performance.now();
  const common: rebuilding.RebuildOptions = {
    connectionString,
    journal,
    ...(options.throttle === undefined ? {} : { eventsPerSecond: options.throttle }),
    onProgress: ({ phase, seq, target }) => progress.show(DOING[phase], seq, target),
  };
  try {
    if (options.only === 'leaderboard') {
      const { corrected, ...done } = await rebuilding.correctLeaderboard(common);
      progress.clear();
      const rows = Object.entries(corrected).map(([table, count]) => `${count} of ${table}`);
      const line = `${ended('Refolded', done, begunMs)} Rows corrected in ${done.schema}: ${rows.join(', ')}.`;
      report(options, { ...done, corrected }, line);
      return;
    }
    const done = await rebuilding.rebuild(common);
    progress.clear();
    const before = done.former === null ? 'nothing' : `${done.former}, which is kept for --back until --retire`;
    report(options, done, `${ended('Rebuilt', done, begunMs)} Served from ${done.schema} now, before from ${before}.`);
  } finally {
    progress.clear();
  }
}

function ended(
  what: string,
  { seq, resumedAt }: { readonly seq: number; readonly resumedAt: number },
  begunMs: number,
): string {
  const seconds = (performance.now() - begunMs) / 1000;
  const events = seq - resumedAt;
  const from = resumedAt === 0 ? '' : ` from event ${resumedAt + 1} on, where one that was cut off had come to`;
  return `${what}: ${events} events${from}, in ${seconds.toFixed(1)} s (${Math.round(events / seconds)} events/s).`;
}

async function showStatus({ connectionString, journal }: JournalSource, options: Options): Promise<void> {
  const status = await rebuilding.rebuildStatus(connectionString);
  const headSeq = (await journal.head()).seq;
  report(options, { headSeq, ...status }, statusTable(status, headSeq));
}

function reportDropped(options: Options, schemas: readonly string[], what: string, nothing: string): void {
  report(options, { schemas }, schemas.length === 0 ? nothing : `${schemas.join(', ')}: ${what}.`);
}
