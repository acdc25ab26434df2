import { createHash } from 'node:crypto';
import { snapshot } from '@paper/exchange';
import type { State } from '@paper/exchange';
import { encodeTable } from './table-bytes.ts';

/** The state's snapshot as it is stored: one piece of bytes for each of its tables. */
export function* snapshotPieces(state: State): Generator<Buffer, void, undefined> {
  for (const table of snapshot(state)) yield encodeTable(table);
}

/** SHA-256 (hex) of all pieces of the state's snapshot: states with the same hash decide the same. */
export function stateHash(state: State): string {
  const hash = createHash('sha256');
  for (const piece of snapshotPieces(state)) hash.update(piece);
  return hash.digest('hex');
}
