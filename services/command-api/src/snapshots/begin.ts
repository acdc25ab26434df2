import { SNAPSHOT_VERSION } from '@paper/exchange';
import type { Journal } from '@paper/journal';
import { fromNothing } from '../writer/load.ts';
import type { Memory } from '../writer/memory.ts';
import type { SnapshotStore, StoredSnapshot } from './store.ts';

/** What happens on the way to a beginning, for the log. */
export interface BeginObserver {
  /** The snapshot is not used, or none can be read: somebody should look at this. */
  refused(reason: string, snapshot: StoredSnapshot | null): void;
  /** The fold begins here; null: with the journal's first event. */
  began(snapshot: StoredSnapshot | null, tookMs: number): void;
}

/**
 * The memory of the newest good snapshot; of the journal's beginning where there is none. A snapshot is never needed:
 * whatever is wrong with one is said, and the next older one is tried.
 *
 * @throws where the journal cannot be read.
 */
export async function beginFromSnapshot(
  journal: Journal,
  store: Pick<SnapshotStore, 'list' | 'read'>,
  observer: BeginObserver,
): Promise<Memory> {
  const begunMs = performance.now();
  const tookMs = (): number => Math.round(performance.now() - begunMs);
  for (const snapshot of await listed(store, observer)) {
    const reason = snapshot.version === SNAPSHOT_VERSION ? await foreign(journal, snapshot) : otherVersion(snapshot);
    if (reason !== null) {
      observer.refused(reason, snapshot);
      continue;
    }
    try {
      const state = await store.read(snapshot);
      observer.began(snapshot, tookMs());
      return { head: { hash: snapshot.hash, seq: snapshot.seq }, state };
    } catch (error) {
      observer.refused(messageOf(error), snapshot);
    }
  }
  observer.began(null, tookMs());
  return fromNothing();
}

/** The journal may be on another server: that this one is gone must not keep a fold from it. */
async function listed(store: Pick<SnapshotStore, 'list'>, observer: BeginObserver): Promise<readonly StoredSnapshot[]> {
  try {
    return await store.list();
  } catch (error) {
    observer.refused(`the snapshots cannot be listed: ${messageOf(error)}`, null);
    return [];
  }
}

function otherVersion({ version }: StoredSnapshot): string {
  return `it is of version ${version}, this program reads version ${SNAPSHOT_VERSION}`;
}

/** Why the snapshot is not of this journal; null when it is. */
async function foreign(journal: Journal, { seq, hash }: StoredSnapshot): Promise<string | null> {
  const [event] = await journal.read(seq, 1);
  if (event === undefined) return `the journal ends before sequence ${seq}`;
  return event.hash === hash ? null : `the journal's event ${seq} has the hash ${event.hash}, its own is ${hash}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
