import { parentPort, workerData } from 'node:worker_threads';
import { createPostgresJournal, RelayedJournal } from '@paper/journal';
import { Gathering, isPassing } from '@paper/read-models';
import { createLogger, createRetryLog } from '@paper/service-kit';
import { StartedOnce } from '../companion.ts';
import { openLoop } from '../projecting.ts';
import { CurrentStatus } from '../projector-status.ts';
import type { ProjectionChange, ProjectionWork, ThreadOrder, ThreadReport } from './messages.ts';

/** The thread that `ProjectorThread` starts. It projects until it is stopped, or the projection has failed for good. */
const { data } = workerData as { readonly data: ProjectionWork };
const { connectionString, gatherMs, log, shard } = data;
const logger = createLogger(log);
const retries = createRetryLog(logger);
const gathering = new Gathering(gatherMs);
const stopping = new AbortController();
const isStopping = (): boolean => stopping.signal.aborted;

let changes: ProjectionChange[] = [];
let isReportDue = false;

/** Reports what has changed within one turn as one message. */
function note(change: ProjectionChange | null): void {
  if (change !== null) changes.push(change);
  if (isReportDue) return;
  isReportDue = true;
  queueMicrotask(() => {
    const report: ThreadReport = { changes, status: status.get() };
    changes = [];
    isReportDue = false;
    parentPort?.postMessage(report);
  });
}

const status = new CurrentStatus(() => note(null));
const onError = (error: unknown): void => {
  if (!isStopping()) retries.failed('projector: the journal was not read', error);
};
const journal = new RelayedJournal({
  journal: await createPostgresJournal({ connectionString, asFound: true, onError, shard }),
  retries: (error) => {
    onError(error);
    return isPassing(error);
  },
});
const { db, loop } = openLoop({
  connectionString,
  journal,
  batchSize: undefined,
  gathering,
  companion: new StartedOnce(undefined),
  isElected: false,
  isStopping,
  logger,
  onEvents: (count) => note({ kind: 'events', count }),
  // The main thread traces by the progress that it gets.
  onProjected: () => undefined,
  progress: {
    set: (seq, keysSeq) => note({ kind: 'progress', seq, keysSeq: keysSeq ?? seq }),
    restart: (seq) => note({ kind: 'restart', seq }),
  },
  retries,
  status,
});

parentPort?.on('message', (order: ThreadOrder) => {
  if (order.kind === 'stop') stopping.abort();
  else if (order.kind === 'hurry') gathering.hurry(order.seq);
  else journal.receive(order);
});

try {
  await loop.run(stopping.signal, () => undefined);
  status.change({ state: 'stopped' });
} catch {
  // The status says why.
} finally {
  await db.destroy();
  await journal.close();
  parentPort?.unref();
}
