import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { SerializedBytes } from '@paper/contracts';

const gzipOf = promisify(gzip);
const brotliOf = promisify(brotliCompress);

/** An answer that is not larger would gain less by compression than the additional headers cost. */
const BYTES_MAX_PLAIN = 1024;
/** A third of the time of zlib's default, for a few percent more bytes. */
const GZIP_LEVEL = 4;
/** Takes as long as gzip at its level, for a third fewer bytes of a list. */
const BROTLI_QUALITY = 4;

/** The content codings, the one with the fewest bytes first. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

const COMPRESS: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    brotliOf(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => gzipOf(bytes, { level: GZIP_LEVEL }),
};

/** Compressed copies of cached bytes, for as long as those are cached. */
const compressed: Readonly<Record<Coding, WeakMap<Buffer, Promise<Buffer>>>> = {
  br: new WeakMap(),
  gzip: new WeakMap(),
};

/** Whether an answer of these bytes is sent compressed to clients that accept it. */
export function isCompressible({ bytes, gzip: zipped, br }: SerializedBytes): boolean {
  return zipped !== undefined || br !== undefined || bytes.length > BYTES_MAX_PLAIN;
}

/**
 * The coding for a client with this Accept-Encoding; null: none. A form that was made already goes before one that would
 * have to be made.
 */
export function codingFor(serialized: SerializedBytes, accepted: string | undefined): Coding | null {
  if (accepted === undefined || !isCompressible(serialized)) return null;
  const taken = CODINGS.filter((coding) => accepts(accepted, coding));
  return taken.find((coding) => serialized[coding] !== undefined) ?? taken[0] ?? null;
}

/**
 * The bytes in this coding, which are made once, when they are first needed. A thread of libuv makes them, so that the
 * thread that answers requests is not blocked.
 */
export function inCoding(serialized: SerializedBytes, coding: Coding): Buffer | Promise<Buffer> {
  const made = serialized[coding];
  if (made !== undefined) return made;
  const { bytes } = serialized;
  let making = compressed[coding].get(bytes);
  if (making === undefined) {
    making = COMPRESS[coding](bytes);
    compressed[coding].set(bytes, making);
  }
  return making;
}

/** Whether an Accept-Encoding takes this coding: named with a weight over 0, or not named and covered by `*`. */
function accepts(header: string, coding: Coding): boolean {
  let any = false;
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const taken = weight === undefined || Number(weight) > 0;
    if (name === coding) return taken;
    if (name === '*') any = taken;
  }
  return any;
}
