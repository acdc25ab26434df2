import { SnapshotStore, takeSnapshot } from '@paper/command-side';
import type { SnapshotLoadObserver } from '@paper/command-side';
import { VERSION } from '@paper/contracts';
import { Command } from 'commander';
import { print, printError } from '@paper/runtime';
import { withJournalSource } from '../journal-source.ts';
import type { JournalSource } from '../journal-source.ts';
import { showProgress } from '../progress.ts';

/**
 * `npm run snapshot` stores a snapshot at the journal's end, with or without a running service, so that the next start
 * folds only later events: useful before an update. A service takes its own as the journal grows.
 */
new Command('snapshot')
  .description('Store what the journal folds to, so that the next start is quick; a running service goes on meanwhile.')
  .parse();

await withJournalSource('nothing to take a snapshot of', run);

async function run({ connectionString, journal, shard }: JournalSource): Promise<void> {
  const begunMs = performance.now();
  const store = new SnapshotStore({ connectionString, shard });
  const progress = showProgress('no snapshot was taken');
  const observer: SnapshotLoadObserver = {
    loaded: () => undefined,
    refused: (reason, refused) => {
      printError(`${refused === null ? 'A snapshot' : `The snapshot of event ${refused.seq}`} is not used: ${reason}`);
    },
  };
  const onFolded = (seq: number, end: number): void => progress.show('folding', seq, end);
  const { events, seq, snapshot } = await takeSnapshot(journal, store, VERSION, observer, onFolded).finally(
    progress.clear,
  );
  const seconds = ((performance.now() - begunMs) / 1000).toFixed(1);
  if (snapshot === null) {
    print(seq === 0 ? 'The journal is empty.' : `The newest snapshot is of event ${seq}, the journal's last.`);
    return;
  }
  const size = (snapshot.bytes / 1e6).toFixed(1);
  print(`Snapshot of event ${seq} in ${seconds} s: ${events} events folded, ${size} MB.`);
  print(`State hash ${snapshot.stateHash}`);
}
