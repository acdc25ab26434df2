import type pg from 'pg';
import { to } from 'pg-copy-streams';

/** A piece as it is stored, and which of its snapshot's it is, from 0. */
export interface Piece {
  readonly number: number;
  readonly bytes: Buffer;
}

/** "PGCOPY\n\xff\r\n\0", flags, and the length of an extension that there is none of. */
const HEADER_BYTES = 19;
/** In place of a row's count of fields. */
const NO_MORE_ROWS = -1;
/** Of a row: its count of fields, the length of `number`, `number`, and the length of `bytes`. */
const BEFORE_BYTES = 2 + 4 + 4 + 4;

/**
 * The pieces of a snapshot in their order. They are copied, since Postgres spells bytes out in text everywhere else. A
 * reader may leave before the end; then nothing else can be asked on this connection.
 *
 * @throws where the connection breaks.
 */
export async function* copyPieces(client: pg.Client, shard: string, seq: number): AsyncGenerator<Piece> {
  const copied = client.query(
    to(
      `copy (
         select number, bytes from snapshots.pieces
         where shard = ${client.escapeLiteral(shard)} and seq = ${seq} order by number
       ) to stdout (format binary)`,
      { highWaterMark: 1024 * 1024 },
    ),
  );
  // A connection that ends when nobody reads any more says so too.
  copied.on('error', () => undefined);
  const taker = new Taker(copied);
  await taker.take(HEADER_BYTES);
  while ((await taker.take(2)).readInt16BE() !== NO_MORE_ROWS) {
    const row = await taker.take(BEFORE_BYTES - 2);
    yield { number: row.readInt32BE(4), bytes: await taker.take(row.readInt32BE(8)) };
  }
}

/** Takes as many bytes as are wanted off a stream of chunks. */
class Taker {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.chunks = stream[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Buffer> {
    const parts = [this.rest];
    let there = this.rest.length;
    while (there < length) {
      const next = await this.chunks.next();
      if (next.done === true) throw new Error(`the copy ends ${length - there} bytes too soon`);
      parts.push(next.value);
      there += next.value.length;
    }
    const all = parts.length === 1 ? this.rest : Buffer.concat(parts);
    this.rest = all.subarray(length);
    return all.subarray(0, length);
  }
}
