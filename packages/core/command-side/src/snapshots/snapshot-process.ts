import { openJournal } from '@paper/journal';
import { lowerPriority } from '@paper/runtime/resources';
import type { SnapshotRequest, SnapshotReport } from './child.ts';
import { SnapshotStore } from './store.ts';
import { takeSnapshot } from './take.ts';
import type { SnapshotResult } from './take.ts';

/** A process that takes one snapshot, or ends with its parent. Request and reports are on its IPC channel. */
// The writer and readers have priority over this process. Its priority is not the lowest: at the lowest one it got no
// processor for minutes on a busy machine, and the older the newest snapshot is, the longer a start takes.
lowerPriority(process.pid);
process.once('disconnect', () => process.exit(1));
// The parent may have ended while this process was loading.
if (!process.connected) process.exit(1);
process.once('message', (message) => {
  void take(message as SnapshotRequest).then(
    (taken) => end({ kind: 'taken', taken }),
    (error: unknown) => end({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  );
});

async function take({ databaseUrl, eventStoreUrl, shard, build }: SnapshotRequest): Promise<SnapshotResult> {
  const journal = await openJournal({ databaseUrl, shard, eventStoreUrl: eventStoreUrl ?? undefined });
  try {
    const store = new SnapshotStore({ connectionString: databaseUrl, shard });
    return await takeSnapshot(journal, store, build, {
      loaded: () => undefined,
      refused: (reason, snapshot) => void send({ kind: 'refused', reason, snapshot }),
    });
  } finally {
    await journal.close();
  }
}

async function end(report: SnapshotReport): Promise<void> {
  await send(report);
  process.exit(0);
}

function send(report: SnapshotReport): Promise<void> {
  return new Promise((resolve) => process.send?.(report, () => resolve()));
}
