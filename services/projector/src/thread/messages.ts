import type { RelayMessage } from '@paper/journal';
import type { ProjectorStatus } from '../projector-status.ts';

/** What the thread is started with. */
export interface ProjectionWork {
  /** The connection string of the database with the journal and the read models. */
  readonly connectionString: string;
  readonly shard: string;
  /** The time in ms between the beginnings of two transactions while no read of this process waits. */
  readonly gatherMs: number;
  readonly log: { readonly name: string; readonly level: string };
}

/** A message to the thread. */
export type ThreadOrder =
  | RelayMessage
  /** A read waits: for this sequence, or else for what is gathered. */
  | { readonly kind: 'hurry'; readonly seq: number | undefined }
  | { readonly kind: 'stop' };

/** What has changed, in its order. */
export type ProjectionChange =
  /** `keysSeq`: see `ProgressSource`. */
  | { readonly kind: 'progress'; readonly seq: number; readonly keysSeq: number }
  /** Other read models serve: the sequence of the former ones no longer counts. */
  | { readonly kind: 'restart'; readonly seq: number }
  /** A transaction of so many events is committed. */
  | { readonly kind: 'events'; readonly count: number };

/** A message of the thread. */
export interface ThreadReport {
  readonly changes: readonly ProjectionChange[];
  readonly status: ProjectorStatus;
}
