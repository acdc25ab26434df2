import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { BrotliOptions, ZlibOptions } from 'node:zlib';

/** The supported compressions of an answer's body, the best one first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** `once`: a file that is compressed once and served often; `each`: an answer that is compressed each time. */
type Effort = 'once' | 'each';

const BROTLI_QUALITY: Readonly<Record<Effort, number>> = { once: 11, each: 5 };
const GZIP_LEVEL: Readonly<Record<Effort, number>> = { once: 9, each: 4 };

const brotliOf = promisify(brotliCompress);
const gzipOf = promisify(gzip);

/** The bytes in every encoding; each is made at its first request. */
export class Compressed {
  readonly #made = new Map<Encoding, Promise<Buffer>>();

  constructor(
    readonly bytes: Buffer,
    private readonly effort: Effort,
  ) {}

  in(encoding: Encoding): Promise<Buffer> {
    const made = this.#made.get(encoding) ?? this.#make(encoding);
    this.#made.set(encoding, made);
    return made;
  }

  #make(encoding: Encoding): Promise<Buffer> {
    const options = compressionOf(encoding, this.effort);
    return encoding === 'gzip' ? gzipOf(this.bytes, options) : brotliOf(this.bytes, options);
  }
}

/** The options of an encoder, since gzip and brotli share no option names. */
export function compressionOf(encoding: Encoding, effort: Effort): ZlibOptions & BrotliOptions {
  if (encoding === 'gzip') return { level: GZIP_LEVEL[effort] };
  return {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort],
    },
  };
}

export function encodingFor({ headers }: Pick<IncomingMessage, 'headers'>): Encoding | null {
  const accepted = new Map(
    (headers['accept-encoding'] ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
      return [name, !parameters.some((each) => /^q=0(\.0*)?$/.test(each))] as const;
    }),
  );
  return ENCODINGS.find((encoding) => accepted.get(encoding) === true) ?? null;
}
