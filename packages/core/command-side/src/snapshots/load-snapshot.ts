import { SNAPSHOT_VERSION } from '@paper/exchange/snapshot';
import type { Journal } from '@paper/journal';
import { fromFirstEvent } from '../writer/load.ts';
import type { FoldedState } from '../writer/fold.ts';
import type { SnapshotStore, StoredSnapshot } from './store.ts';

/** Receives the steps of loading a snapshot, for the log. */
export interface SnapshotLoadObserver {
  /** The snapshot is not used, or none can be read: an operator should look at the reason. */
  refused(reason: string, snapshot: StoredSnapshot | null): void;
  /** The fold starts from this snapshot; null: from the journal's first event. */
  loaded(snapshot: StoredSnapshot | null, tookMs: number): void;
}

/** Loads the newest good snapshot, or an empty state; reports bad ones. @throws when the journal cannot be read. */
export async function loadFromSnapshot(
  journal: Journal,
  store: Pick<SnapshotStore, 'list' | 'read'>,
  observer: SnapshotLoadObserver,
): Promise<FoldedState> {
  const startMs = performance.now();
  const tookMs = (): number => Math.round(performance.now() - startMs);
  for (const snapshot of await listed(store, observer)) {
    const reason = snapshot.version === SNAPSHOT_VERSION ? await mismatch(journal, snapshot) : otherVersion(snapshot);
    if (reason !== null) {
      observer.refused(reason, snapshot);
      continue;
    }
    try {
      const content = await store.read(snapshot);
      observer.loaded(snapshot, tookMs());
      return { ...content, head: { hash: snapshot.hash, seq: snapshot.seq } };
    } catch (error) {
      observer.refused(messageOf(error), snapshot);
    }
  }
  observer.loaded(null, tookMs());
  return fromFirstEvent();
}

/** The journal may be on another server, so a missing snapshot store must not prevent the fold. */
async function listed(
  store: Pick<SnapshotStore, 'list'>,
  observer: SnapshotLoadObserver,
): Promise<readonly StoredSnapshot[]> {
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

/** The reason why the snapshot does not belong to this journal; null if it does. */
async function mismatch(journal: Journal, { seq, hash }: StoredSnapshot): Promise<string | null> {
  const [event] = await journal.read(seq, 1);
  if (event === undefined) return `the journal ends before sequence ${seq}`;
  return event.hash === hash ? null : `the journal's event ${seq} has the hash ${event.hash}, its own is ${hash}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
