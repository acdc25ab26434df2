import type pg from 'pg';
import { to } from 'pg-copy-streams';

/** The length of the header: `PGCOPY\n\xff\r\n\0`, flags, and the length of the header extension, which is 0. */
const HEADER_BYTES = 19;
const NO_MORE_ROWS = -1;

/**
 * Yields the rows of a query without parameters and nulls, each as its fields in binary format (otherwise bytea comes
 * as text). If the reader stops early, the connection cannot be used any more.
 */
export async function* copyOut(client: pg.Client, select: string): AsyncGenerator<readonly Buffer[]> {
  const copied = client.query(to(`copy (${select}) to stdout (format binary)`, { highWaterMark: 1024 * 1024 }));
  // The connection may also end after the reader has stopped; that error is ignored.
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

class Taker {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Buffer> {
    const parts = [this.#rest];
    let there = this.#rest.length;
    while (there < length) {
      const next = await this.#chunks.next();
      if (next.done === true) throw new Error(`the copy ends ${length - there} bytes too soon`);
      parts.push(next.value);
      there += next.value.length;
    }
    const all = parts.length === 1 ? this.#rest : Buffer.concat(parts);
    this.#rest = all.subarray(length);
    return all.subarray(0, length);
  }
}
