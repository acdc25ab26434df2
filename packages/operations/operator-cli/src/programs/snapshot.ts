import { SnapshotStore, takeSnapshot } from '@paper/command-side';
import type { SnapshotLoadObserver } from '@paper/command-side';
import { VERSION } from '@paper/contracts';
import { report, runCommand, showProgress } from '@paper/commands';
import { printError } from '@paper/runtime';
import { withJournalSource } from '../journal-source.ts';
import type { JournalSource } from '../journal-source.ts';

/**
 * `npm run snapshot` stores a snapshot at the journal's end, so that the next start folds only later events, as before
 * an update.
 */
await runCommand<object>('snapshot', ({ options }) =>
  withJournalSource('nothing to take a snapshot of', (source) => run(source, options)),
);

async function run({ connectionString, journal, shard }: JournalSource, options: { json?: true }): Promise<void> {
  const begunMs = performance.now();
  const store = new SnapshotStore({ connectionString, shard });
  const progress = showProgress();
  const observer: SnapshotLoadObserver = {
    loaded: () => undefined,
    refused: (reason, refused) => {
      printError(`${refused === null ? 'A snapshot' : `The snapshot of event ${refused.seq}`} is not used: ${reason}`);
    },
  };
  progress.show('folding', 0, 0);
  const onFolded = (seq: number, end: number): void => progress.show('folding', seq, end);
  const { events, seq, snapshot } = await takeSnapshot(journal, store, VERSION, observer, onFolded).finally(
    progress.clear,
  );
  const seconds = ((performance.now() - begunMs) / 1000).toFixed(1);
  if (snapshot === null) {
    const reason = seq === 0 ? 'The journal is empty.' : `The newest snapshot is of event ${seq}, the journal's last.`;
    report(options, { seq, events: 0, snapshot: null }, reason);
    return;
  }
  const size = (snapshot.bytes / 1e6).toFixed(1);
  report(
    options,
    { seq, events, seconds: Number(seconds), snapshot: { bytes: snapshot.bytes, stateHash: snapshot.stateHash } },
    `Snapshot of event ${seq} in ${seconds} s: ${events} events folded, ${size} MB.`,
    `State hash ${snapshot.stateHash}`,
  );
}
