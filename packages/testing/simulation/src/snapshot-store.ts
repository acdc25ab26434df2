import { createHash } from 'node:crypto';
import { SNAPSHOT_VERSION } from '@paper/exchange/snapshot';
import type { Journal } from '@paper/journal';
import { loadFromSnapshot, loadToEnd, PiecesRestoration, snapshotPieces } from '@paper/command-side';
import type { FoldedState, SnapshotContent, StartPoint, StoredSnapshot } from '@paper/command-side';

const digest = (pieces: readonly Buffer[]): string =>
  pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest('hex');

/** A store of snapshots, the newest first. The simulation damages some of them. */
export class SnapshotStore {
  readonly #taken: { readonly snapshot: StoredSnapshot; readonly pieces: readonly Buffer[] }[] = [];

  beginning(journal: Journal): StartPoint {
    return () => loadFromSnapshot(journal, this, { loaded: () => undefined, refused: () => undefined });
  }

  /** Takes a snapshot of the whole journal, based on the newest snapshot. */
  async take(journal: Journal): Promise<FoldedState> {
    const memory = await loadToEnd(journal, await this.beginning(journal)());
    const pieces = [...snapshotPieces(memory)];
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const snapshot = { ...memory.head, build: 'sim', bytes, pieces: pieces.length, stateHash: digest(pieces) };
    this.#taken.unshift({ snapshot: { ...snapshot, version: SNAPSHOT_VERSION }, pieces });
    this.#taken.splice(3);
    return memory;
  }

  /** Flips one bit of the newest snapshot. */
  damage(): void {
    const pieces = this.#taken[0]?.pieces ?? [];
    const piece = pieces[pieces.length >> 1];
    if (piece === undefined) return;
    const at = piece.length >> 1;
    piece.writeUInt8(piece.readUInt8(at) ^ 1, at);
  }

  list(): Promise<readonly StoredSnapshot[]> {
    return Promise.resolve(this.#taken.map(({ snapshot }) => snapshot));
  }

  /** Restores a snapshot. @throws Error when its pieces were damaged */
  async read(wanted: StoredSnapshot): Promise<SnapshotContent> {
    const found = this.#taken.find(({ snapshot }) => snapshot === wanted);
    if (found === undefined || digest(found.pieces) !== wanted.stateHash) throw new Error('its pieces were damaged');
    const restoration = new PiecesRestoration();
    for (const piece of found.pieces) restoration.add(piece);
    return Promise.resolve(restoration.end());
  }
}
