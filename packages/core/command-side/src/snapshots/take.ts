import type { Journal } from '@paper/journal';
import { Fold } from '../writer/fold.ts';
import { foldToEnd } from '../writer/load.ts';
import { loadFromSnapshot } from './load-snapshot.ts';
import type { SnapshotLoadObserver } from './load-snapshot.ts';
import type { SnapshotStore, StoredSnapshot } from './store.ts';

export interface SnapshotResult {
  /** Null: the journal is empty, or has not grown since the newest snapshot. */
  readonly snapshot: StoredSnapshot | null;
  readonly seq: number;
  readonly events: number;
}

/**
 * Folds the journal from the newest good snapshot to its end, and stores the state. `onFolded` gets the last folded
 * sequence and the journal's last, and may throw.
 * @throws when the journal cannot be read or ends within a decision, or the store cannot be written.
 */
export async function takeSnapshot(
  journal: Journal,
  store: SnapshotStore,
  build: string,
  observer: SnapshotLoadObserver,
  onFolded: (seq: number, end: number) => void = () => undefined,
): Promise<SnapshotResult> {
  const from = await loadFromSnapshot(journal, store, observer);
  const base = from.head.seq;
  const fold = new Fold(from);
  const end = (await journal.head()).seq;
  await foldToEnd(journal, fold, (seq) => onFolded(seq, end));
  const { folded } = fold;
  const events = folded.head.seq - base;
  if (events === 0) return { events, seq: base, snapshot: null };
  // A server that has just started may not show the whole of the last batch yet.
  if (!fold.whole) throw new Error(`the journal ends within a decision at sequence ${folded.head.seq}; try again`);
  const snapshot = await store.write(folded, build, base === 0 ? null : base);
  return { events, seq: snapshot.seq, snapshot };
}
