import { rebuild } from '@paper/read-models';
import cliProgress from 'cli-progress';
import { Command } from 'commander';
import { openJournalSource, type JournalSource } from './journal-source.ts';

/**
 * `npm run rebuild` refills the read models from the journal, beside a running service or without one: the database
 * is that of DATABASE_URL, else the embedded one of DATA_DIR, which is started where no service has it running.
 */
new Command('rebuild')
  .description('Refill the read models from the journal; a running service goes on serving meanwhile.')
  .parse();

try {
  const source = await openJournalSource('nothing to rebuild');
  try {
    await run(source);
  } finally {
    await source.release();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

async function run({ connectionString, journal }: JournalSource): Promise<void> {
  const bar = process.stderr.isTTY
    ? new cliProgress.SingleBar({
        stream: process.stderr,
        format: '{bar} {percentage}% | {value}/{total} events | {rate} events/s',
        clearOnComplete: true,
      })
    : null;
  const startedMs = performance.now();
  const rate = (events: number): number => Math.round((events * 1000) / Math.max(1, performance.now() - startedMs));
  bar?.start((await journal.head()).seq, 0, { rate: 0 });
  try {
    const { schema, former, seq } = await rebuild({
      connectionString,
      journal,
      onProgress: (checkpoint, target) => {
        bar?.setTotal(target);
        bar?.update(checkpoint.seq, { rate: rate(checkpoint.seq) });
      },
    });
    bar?.stop();
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    console.log(
      `Rebuilt: ${seq} events in ${seconds} s (${rate(seq)} events/s). Served from ${schema} now, before from ${former ?? 'nothing'}.`,
    );
  } finally {
    bar?.stop();
  }
}
