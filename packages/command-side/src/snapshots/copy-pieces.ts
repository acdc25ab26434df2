import { copyOut } from '@paper/pg-bulk';
import type pg from 'pg';

/** A piece as it is stored, and which of its snapshot's it is, from 0. */
export interface Piece {
  readonly number: number;
  readonly bytes: Buffer;
}

/**
 * The pieces of a snapshot in their order. A reader may leave before the end; then nothing else can be asked on this
 * connection.
 *
 * @throws where the connection breaks.
 */
export async function* copyPieces(client: pg.Client, shard: string, seq: number): AsyncGenerator<Piece> {
  const select = `select number, bytes from snapshots.pieces
    where shard = ${client.escapeLiteral(shard)} and seq = ${seq} order by number`;
  for await (const [number, bytes] of copyOut(client, select)) {
    if (number === undefined || bytes === undefined) throw new Error('a piece has a number and bytes');
    yield { number: number.readInt32BE(), bytes };
  }
}
