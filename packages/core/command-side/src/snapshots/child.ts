import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { nodeOptionsFor } from '@paper/runtime';
import type { SnapshotLoadObserver } from './load-snapshot.ts';
import type { StoredSnapshot } from './store.ts';
import type { SnapshotResult } from './take.ts';

/** The message that starts the snapshot process. It is sent on the IPC channel, since command lines are public. */
export interface SnapshotRequest {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string | null;
  readonly shard: string;
  readonly build: string;
}

/** The reports of the snapshot process. The last report says that a snapshot was taken, or why none was. */
export type SnapshotReport =
  | { readonly kind: 'refused'; readonly reason: string; readonly snapshot: StoredSnapshot | null }
  | { readonly kind: 'taken'; readonly taken: SnapshotResult }
  | { readonly kind: 'failed'; readonly message: string };

/** A running process that takes one snapshot. */
export interface SnapshotChild {
  /** Resolves with the new snapshot; rejects with the reason why there is none. */
  readonly taken: Promise<SnapshotResult>;
  /** Ends the process at once. An incomplete snapshot leaves no trace. */
  kill(): void;
}

const ENTRY = path.join(import.meta.dirname, `snapshot-process${path.extname(import.meta.filename)}`);

/** Takes a snapshot in a separate process, so that this process never waits for it. */
export function startSnapshotChild(
  request: SnapshotRequest,
  observer: Pick<SnapshotLoadObserver, 'refused'>,
): SnapshotChild {
  const child = fork(ENTRY, [], { execArgv: nodeOptionsFor(ENTRY), stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.send(request, () => {
    // Sending fails only when the process has ended, which `outcomeOf` reports.
  });
  return { kill: () => void child.kill('SIGKILL'), taken: outcomeOf(child, observer) };
}

async function outcomeOf(
  child: ChildProcess,
  observer: Pick<SnapshotLoadObserver, 'refused'>,
): Promise<SnapshotResult> {
  let last = null as Exclude<SnapshotReport, { kind: 'refused' }> | null;
  child.on('message', (message) => {
    const report = message as SnapshotReport;
    if (report.kind === 'refused') observer.refused(report.reason, report.snapshot);
    else last = report;
  });
  // The last report may arrive after the process has ended: the channel closes once everything is read.
  const [[code, signal]] = (await Promise.all([once(child, 'exit'), once(child, 'disconnect')])) as [
    [number | null, string | null],
    unknown,
  ];
  if (last?.kind === 'taken') return last.taken;
  throw new Error(last?.message ?? `its process ended with ${signal ?? `code ${code}`}`);
}
