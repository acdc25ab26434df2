import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { SerializedBytes } from '@paper/contracts';

const compress = promisify(gzip);

/** A smaller answer would gain less by compression than the additional headers cost. */
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
 * Adds the gzip form, which is made once, when it is first needed. A thread of libuv makes it, so that the thread that
 * answers requests is not blocked.
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
