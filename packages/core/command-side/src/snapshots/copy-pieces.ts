import { copyOut } from '@paper/pg-bulk';
import type pg from 'pg';

/** A stored piece of a snapshot, with its index from 0. */
export interface Piece {
  readonly number: number;
  readonly bytes: Buffer;
}

/** Reads the pieces of a snapshot in their order. After a reader stops early, the connection is unusable. */
export async function* copyPieces(client: pg.Client, shard: string, seq: number): AsyncGenerator<Piece> {
  const select = `select number, bytes from snapshots.pieces
    where shard = ${client.escapeLiteral(shard)} and seq = ${seq} order by number`;
  for await (const [number, bytes] of copyOut(client, select)) {
    if (number === undefined || bytes === undefined) throw new Error('a piece has a number and bytes');
    yield { number: number.readInt32BE(), bytes };
  }
}
