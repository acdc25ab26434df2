import { buffer } from 'node:stream/consumers';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { compressionOf } from './compressed.ts';
import type { Encoding } from './compressed.ts';

type SentParts = Readonly<Record<'head' | 'rest', Promise<Buffer>>>;

/** A page in two parts. The head names the page's files, so a browser loads them while the rest is rendered. */
export class PageParts {
  readonly #encoded = new Map<Encoding, SentParts>();

  constructor(
    readonly status: 200 | 404,
    readonly head: Buffer,
    readonly rest: Promise<Buffer>,
  ) {}

  in(encoding: Encoding | null): SentParts {
    if (encoding === null) return { head: Promise.resolve(this.head), rest: this.rest };
    const made = this.#encoded.get(encoding) ?? this.#encode(encoding);
    this.#encoded.set(encoding, made);
    return made;
  }

  #encode(encoding: Encoding): SentParts {
    const options = compressionOf(encoding, 'each');
    const encoder = encoding === 'br' ? createBrotliCompress(options) : createGzip(options);
    const kind = encoding === 'br' ? constants.BROTLI_OPERATION_FLUSH : constants.Z_SYNC_FLUSH;
    const head = new Promise<Buffer>((resolve, reject) => {
      encoder.once('error', reject);
      encoder.write(this.head);
      encoder.flush(kind, () => resolve((encoder.read() as Buffer | null) ?? Buffer.alloc(0)));
    });
    const rest = Promise.all([this.rest, head]).then(
      ([bytes]) => {
        encoder.end(bytes);
        return buffer(encoder);
      },
      (error: unknown) => {
        encoder.destroy();
        throw error;
      },
    );
    rest.catch(() => undefined);
    return { head, rest };
  }
}
