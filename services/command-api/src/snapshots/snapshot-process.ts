import { constants, setPriority } from 'node:os';
import { openJournal } from '@paper/journal';
import { createLogger } from '@paper/service-kit';
import { logBeginning } from './begin-log.ts';
import type { SnapshotOrder, SnapshotReport } from './child.ts';
import { SnapshotStore } from './store.ts';
import { takeSnapshot, type Taken } from './take.ts';

/**
 * A process that takes one snapshot and ends: it is told from where on its channel, answers there, and ends as well
 * when the process that started it is gone.
 */
const logger = createLogger({ level: 'warn', name: 'snapshot' }, process.stderr);
// Whoever decides, and whoever reads, comes first.
setPriority(constants.priority.PRIORITY_LOW);
process.once('disconnect', () => process.exit(1));
process.once('message', (message) => {
  void take(message as SnapshotOrder).then(
    (taken) => answer({ kind: 'taken', taken }),
    (error: unknown) => answer({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  );
});

async function take({ databaseUrl, eventStoreUrl, shard, build }: SnapshotOrder): Promise<Taken> {
  const journal = await openJournal({ databaseUrl, shard, eventStoreUrl: eventStoreUrl ?? undefined });
  try {
    const store = new SnapshotStore({ connectionString: databaseUrl, shard });
    return await takeSnapshot(journal, store, build, logBeginning(logger));
  } finally {
    await journal.close();
  }
}

function answer(report: SnapshotReport): void {
  process.send?.(report, () => process.disconnect());
}
