import { createHash } from 'node:crypto';
import { snapshot, type Restoration, type SnapshotLine, type State } from '@paper/exchange';

/** How long a piece of text gets before the next one begins, in characters. */
const PIECE_LENGTH = 1024 * 1024;

/** The state's snapshot as JSON Lines, in pieces of whole lines. */
export function* snapshotText(state: State): Generator<string, void, undefined> {
  let piece = '';
  for (const line of snapshot(state)) {
    piece += `${JSON.stringify(line)}\n`;
    if (piece.length >= PIECE_LENGTH) {
      yield piece;
      piece = '';
    }
  }
  yield piece;
}

/** Adds a piece's lines. @throws where they are not JSON, or cannot stand there. */
export function addText(restoration: Restoration, piece: string): void {
  let from = 0;
  for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', from)) {
    restoration.add(JSON.parse(piece.slice(from, end)) as SnapshotLine);
    from = end + 1;
  }
  if (from !== piece.length) throw new Error('a piece of the snapshot ends within a line');
}

/** SHA-256 (hex) of the state's snapshot text: states with the same hash decide the same. */
export function stateHash(state: State): string {
  const hash = createHash('sha256');
  for (const piece of snapshotText(state)) hash.update(piece);
  return hash.digest('hex');
}
