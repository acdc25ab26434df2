import { rebuilding } from '@paper/read-models';
import { Command, InvalidArgumentError, Option } from 'commander';
import { print } from '@paper/runtime';
import { withJournalSource } from '../journal-source.ts';
import type { JournalSource } from '../journal-source.ts';
import { showProgress } from '../progress.ts';
import { statusTable } from '../rebuild/status-table.ts';

/**
 * `npm run rebuild` refills the read models from the journal, with or without a running service. The database is that
 * of DATABASE_URL, else the embedded one of DATA_DIR, which is started unless a service runs it. package.json sets a
 * young generation of 64 MB: rows of a batch would outlive a smaller one and be copied repeatedly.
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

const THROTTLE_EVENTS_PER_S = 5000;
const DOING = {
  filling: 'filling',
  indexing: 'making indexes',
  checking: 'checking sums',
  swapping: 'swapping',
} as const;
const ALONE = ['status', 'back', 'abort', 'retire'];

const alone = (flags: string, description: string, conflicts = [...ALONE, 'throttle', 'only']): Option => {
  const option = new Option(flags, description);
  return option.conflicts(conflicts.filter((name) => name !== option.attributeName()));
};

const options = new Command('rebuild')
  .description('Refill the read models from the journal; a running service goes on serving meanwhile.')
  .addOption(
    new Option(
      '--throttle [events/s]',
      'leave room for readers: so many events a second at most, in small transactions',
    )
      .preset(String(THROTTLE_EVENTS_PER_S))
      .argParser(rateOf),
  )
  .addOption(new Option('--only <part>', 'correct the rows behind one part alone').choices(['leaderboard']))
  .addOption(alone('--status', 'show what there is, and how far it is'))
  .addOption(alone('--json', 'the status as JSON', ['back', 'abort', 'retire']))
  .addOption(alone('--back', 'let the schema that served before serve again, at once'))
  .addOption(alone('--abort', 'throw away what is half-filled, also while it is being filled'))
  .addOption(alone('--retire', 'drop the schema that served before, and those of older versions'))
  .allowExcessArguments(false)
  .parse()
  .opts<Options>();

await withJournalSource('nothing to rebuild', run);

async function run(source: JournalSource): Promise<void> {
  const { connectionString, journal } = source;
  if (options.status) return showStatus(source);
  if (options.abort) {
    logDropped('thrown away', await rebuilding.abortRebuild(connectionString), 'Nothing is half-filled.');
    return;
  }
  if (options.retire) {
    logDropped('dropped', await rebuilding.retireFormer(connectionString), 'There is nothing that served before.');
    return;
  }
  if (options.back) {
    const { schema, former, seq } = await rebuilding.returnToFormer({ connectionString, journal });
    print(`Back: served from ${schema} at event ${seq} now, before from ${former ?? 'nothing'}.`);
    return;
  }
  await refill(source);
}

async function refill({ connectionString, journal }: JournalSource): Promise<void> {
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
      print(`${ended('Refolded', done, begunMs)} Rows corrected in ${done.schema}: ${rows.join(', ')}.`);
      return;
    }
    const done = await rebuilding.rebuild(common);
    progress.clear();
    const before = done.former === null ? 'nothing' : `${done.former}, which is kept for --back until --retire`;
    print(`${ended('Rebuilt', done, begunMs)} Served from ${done.schema} now, before from ${before}.`);
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

async function showStatus({ connectionString, journal }: JournalSource): Promise<void> {
  const status = await rebuilding.rebuildStatus(connectionString);
  const headSeq = (await journal.head()).seq;
  print(options.json ? JSON.stringify({ headSeq, ...status }, null, 2) : statusTable(status, headSeq));
}

function logDropped(what: string, schemas: readonly string[], nothing: string): void {
  print(schemas.length === 0 ? nothing : `${schemas.join(', ')}: ${what}.`);
}

function rateOf(text: string): number {
  const rate = Number(text);
  if (Number.isSafeInteger(rate) && rate >= 20) return rate;
  throw new InvalidArgumentError('It is a whole number of events a second, at least 20, such as 5000.');
}
