import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { SerializedBytes } from '@paper/contracts';

const gzipOf = promisify(gzip);
const brotliOf = promisify(brotliCompress);

/** Up to this size compression would gain less than the additional headers cost. */
const BYTES_MAX_PLAIN = 1024;
/** Takes a third of the time of zlib's default level, for a few percent more bytes. */
const GZIP_LEVEL = 4;
/** Takes as long as gzip at its level, and makes a third fewer bytes of a list. */
const BROTLI_QUALITY = 4;

/** The content codings, the smallest result first. */
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

/** Compressed copies of cached bytes, kept as long as the bytes are. */
const compressed: Readonly<Record<Coding, WeakMap<Buffer, Promise<Buffer>>>> = {
  br: new WeakMap(),
  gzip: new WeakMap(),
};

/** Whether an answer of these bytes is sent compressed to clients that accept it. */
export function isCompressible({ bytes, gzip: zipped, br }: SerializedBytes): boolean {
  return zipped !== undefined || br !== undefined || bytes.length > BYTES_MAX_PLAIN;
}

/** The coding for a client with this Accept-Encoding; null for none. Prefers a form that already exists. */
export function codingFor(serialized: SerializedBytes, accepted: string | undefined): Coding | null {
  if (accepted === undefined || !isCompressible(serialized)) return null;
  const taken = CODINGS.filter((coding) => accepts(accepted, coding));
  return taken.find((coding) => serialized[coding] !== undefined) ?? taken[0] ?? null;
}

/** The bytes in this coding, compressed once, when first needed, on a libuv thread. */
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

/** Whether an Accept-Encoding accepts this coding: named with a weight over 0, or not named and covered by `*`. */
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
