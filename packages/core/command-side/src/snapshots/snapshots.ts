import type { Journal } from '@paper/journal';
import type { Logger, Metrics } from '@paper/runtime';
import { systemClock } from '@paper/timing';
import type { Clock } from '@paper/timing';
import type { StartPoint } from '../writer/load.ts';
import { loadFromSnapshot } from './load-snapshot.ts';
import type { SnapshotLoadObserver } from './load-snapshot.ts';
import { startSnapshotChild } from './child.ts';
import type { SnapshotChild, SnapshotRequest } from './child.ts';
import { SnapshotSchedule } from './schedule.ts';
import { SnapshotStore } from './store.ts';

export interface SnapshotsOptions {
  readonly journal: Journal;
  /** The database of snapshots, and of the journal unless `eventStoreUrl` is set. */
  readonly databaseUrl: string;
  readonly eventStoreUrl?: string | undefined;
  readonly shard: string;
  readonly build: string;
  /** The number of events between two snapshots; 0: no snapshots. */
  readonly every: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  /** Takes a snapshot. Default: in a separate process. */
  readonly take?: (request: SnapshotRequest, observer: Pick<SnapshotLoadObserver, 'refused'>) => SnapshotChild;
}

export interface Snapshots {
  readonly begin: StartPoint;
  /**
   * Takes snapshots from now on, for the leader. `journalSeq`: the journal's end; `forgottenSeq`: the sequence at which
   * names were last forgotten, 0 for never, after which a snapshot replaces the earlier ones.
   */
  readonly start: (journalSeq: () => number, forgottenSeq?: () => number) => void;
  /** Stops taking snapshots; a running snapshot process is ended. */
  readonly stop: () => Promise<void>;
}

const CHECK_MS = 1_000;

/** Reads a shard's snapshots at the start, and takes new ones in separate processes. */
export function createSnapshots(options: SnapshotsOptions): Snapshots {
  const { journal, databaseUrl, eventStoreUrl = null, shard, build, logger } = options;
  const { clock = systemClock, take = startSnapshotChild } = options;
  const store = new SnapshotStore({ connectionString: databaseUrl, shard });
  const newest = options.metrics.gauge('snapshot_seq', 'Sequence that the newest known snapshot stands for');
  const failures = options.metrics.counter('snapshot_failures_total', 'Snapshots that could not be taken');
  const refused: SnapshotLoadObserver['refused'] = (reason, snapshot) => {
    logger.warn({ reason, snapshot }, snapshot === null ? 'no snapshot is used' : 'a snapshot is not used');
  };
  const schedule = new SnapshotSchedule(options.every, 0);
  let underway: Promise<void> | null = null;
  let child: SnapshotChild | null = null;
  let cancel: (() => void) | null = null;
  let stopped = false;

  const noteSeq = (seq: number): void => {
    newest.set(seq);
    schedule.taken(seq);
  };
  const takeOne = async (journalSeq: number): Promise<void> => {
    const begunMs = clock.monotonic();
    try {
      child = take({ databaseUrl, eventStoreUrl, shard, build }, { refused });
      const { seq, snapshot } = await child.taken;
      noteSeq(seq);
      logger.info({ seq, snapshot, tookMs: clock.monotonic() - begunMs }, 'a snapshot was taken');
    } catch (error) {
      schedule.failed(journalSeq);
      if (stopped) return;
      failures.inc();
      logger.warn({ err: error, journalSeq }, 'a snapshot could not be taken; retrying later');
    } finally {
      child = null;
      underway = null;
    }
  };
  const check = (journalSeq: () => number, forgottenSeq: () => number): void => {
    const seq = journalSeq();
    schedule.replaceBefore(forgottenSeq(), clock.monotonic());
    if (underway === null && schedule.isDue(seq)) underway = takeOne(seq);
    cancel = clock.after(CHECK_MS, () => check(journalSeq, forgottenSeq));
  };

  return {
    begin: () =>
      loadFromSnapshot(journal, store, {
        refused,
        loaded: (snapshot, tookMs) => {
          noteSeq(snapshot?.seq ?? 0);
          if (snapshot === null) logger.info('the journal is folded from its first event');
          else logger.info({ snapshot, tookMs }, 'the fold of the journal begins from a snapshot');
        },
      }),
    start: (journalSeq, forgottenSeq = () => 0) => {
      if (options.every > 0 && cancel === null && !stopped) check(journalSeq, forgottenSeq);
    },
    stop: async () => {
      stopped = true;
      cancel?.();
      child?.kill();
      await underway;
    },
  };
}
