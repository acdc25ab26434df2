import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { SerializedBytes } from '@paper/contracts';

const compress = promisify(gzip);

/** Smaller answers gain less than their head costs. */
const BYTES_MIN = 1024;
/** A third of the time of zlib's default, for a few percent more bytes. */
const LEVEL = 4;

/** Compressed copies of cached bytes, for as long as those are cached. */
const compressed = new WeakMap<Buffer, Promise<Buffer>>();

/** Whether an answer of these bytes is sent compressed to clients that accept it. */
export function isCompressible({ bytes, gzip, br }: SerializedBytes): boolean {
  return gzip !== undefined || br !== undefined || bytes.length >= BYTES_MIN;
}

/**
 * The same with its gzip, which is made once, when it is first asked for, by a thread of libuv's: so the thread that
 * answers requests does nothing for it.
 */
export function withGzip(ready: SerializedBytes): SerializedBytes | Promise<SerializedBytes> {
  if (ready.gzip !== undefined || !isCompressible(ready)) return ready;
  const { bytes } = ready;
  let making = compressed.get(bytes);
  if (making === undefined) {
    making = compress(bytes, { level: LEVEL });
    compressed.set(bytes, making);
  }
  return making.then((gzip) => ({ ...ready, gzip }));
}
