import type pg from 'pg';
import { to } from 'pg-copy-streams';

/** "PGCOPY\n\xff\r\n\0", flags, and the length of an extension that there is none of. */
const HEADER_BYTES = 19;
/** In place of a row's count of fields. */
const NO_MORE_ROWS = -1;

/**
 * The rows of a query, each as its fields in Postgres's binary format. They are copied, since Postgres spells bytes out in
 * text everywhere else. A reader may leave before the end; then nothing else can be asked on this connection.
 *
 * @param select a query without parameters, none of whose fields is null
 * @throws where the connection breaks.
 */
export async function* copyOut(client: pg.Client, select: string): AsyncGenerator<readonly Buffer[]> {
  const copied = client.query(to(`copy (${select}) to stdout (format binary)`, { highWaterMark: 1024 * 1024 }));
  // A connection that ends when nobody reads any more says so too.
  copied.on('error', () => undefined);
  const taker = new Taker(copied);
  await taker.take(HEADER_BYTES);
  for (;;) {
    const count = (await taker.take(2)).readInt16BE();
    if (count === NO_MORE_ROWS) return;
    const fields: Buffer[] = [];
    while (fields.length < count) fields.push(await taker.take((await taker.take(4)).readInt32BE()));
    yield fields;
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
