import { createHash } from 'node:crypto';
import { Restoration, snapshot } from '@paper/exchange/snapshot';
import type { FleetUsage } from '../usage/fleet-usage.ts';
import { usageOf, usageTable } from '../usage/usage-table.ts';
import type { FoldedState } from '../writer/fold.ts';
import { decodeTable, encodeTable } from './table-bytes.ts';

/** What a snapshot holds: the state, and the usage of the fleets beside it. */
export type SnapshotContent = Pick<FoldedState, 'state' | 'usage'>;

/** A snapshot as it is stored: one piece of bytes for each table of the state, and the last for the usage. */
export function* snapshotPieces({ state, usage }: SnapshotContent): Generator<Buffer, void, undefined> {
  for (const table of snapshot(state)) yield encodeTable(table);
  yield encodeTable(usageTable(usage));
}

/** SHA-256 (hex) of all pieces of the snapshot: states with the same hash decide the same. */
export function stateHash(content: SnapshotContent): string {
  const hash = createHash('sha256');
  for (const piece of snapshotPieces(content)) hash.update(piece);
  return hash.digest('hex');
}

/** Restores a snapshot from its pieces: call `add` for each in order, then take the content from `end`. */
export class PiecesRestoration {
  readonly #restoration = new Restoration();
  #usage: FleetUsage | null = null;

  /** @throws Error for a piece that is no table, or cannot follow those before it. */
  add(piece: Buffer): void {
    const table = decodeTable(piece);
    if (table.kind === 'usage') this.#usage = usageOf(table);
    else this.#restoration.add(table);
  }

  /** @throws Error where a table is missing. */
  end(): SnapshotContent {
    if (this.#usage === null) throw new Error('the snapshot is cut off before the usage');
    return { state: this.#restoration.end(), usage: this.#usage };
  }
}
