import { createHash } from 'node:crypto';
import { Restoration, snapshot } from '@paper/exchange/snapshot';
import type { FleetUsage } from '../usage/fleet-usage.ts';
import { usageOf, usageTable } from '../usage/usage-table.ts';
import type { FoldedState } from '../writer/fold.ts';
import { decodeTable, encodeTable } from './table-bytes.ts';

/** The content of a snapshot: the exchange's state, and the usage of the fleets. */
export type SnapshotContent = Pick<FoldedState, 'state' | 'usage'>;

/** Yields a snapshot as stored: a piece of bytes for each table of the state, and one for the usage at the end. */
export function* snapshotPieces({ state, usage }: SnapshotContent): Generator<Buffer, void, undefined> {
  for (const table of snapshot(state)) yield encodeTable(table);
  yield encodeTable(usageTable(usage));
}

/** SHA-256 (hex) of all pieces of the snapshot. States with the same hash decide the same. */
export function stateHash(content: SnapshotContent): string {
  const hash = createHash('sha256');
  for (const piece of snapshotPieces(content)) hash.update(piece);
  return hash.digest('hex');
}

/** Restores a snapshot from its pieces: call `add` for each in order, then take the content from `end`. */
export class PiecesRestoration {
  readonly #restoration = new Restoration();
  #usage: FleetUsage | null = null;

  /** Adds the next piece. @throws Error for a piece that is not a table, or cannot follow the earlier pieces. */
  add(piece: Buffer): void {
    const table = decodeTable(piece);
    if (table.kind === 'usage') this.#usage = usageOf(table);
    else this.#restoration.add(table);
  }

  /** The restored state and usage. @throws Error when a table is missing. */
  end(): SnapshotContent {
    if (this.#usage === null) throw new Error('the snapshot is cut off before the usage');
    return { state: this.#restoration.end(), usage: this.#usage };
  }
}
