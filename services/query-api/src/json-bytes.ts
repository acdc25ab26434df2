import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { SerializedBytes } from '@paper/contracts';

const compress = promisify(gzip);

/** The number of items that are written before the thread's other work gets a turn: one or two milliseconds. */
const ITEMS_AT_ONCE = 100;

/** A large list as JSON, written in small steps, with an ETag computed from its content, and compressed. */
export async function listBytes<T>(items: readonly T[], bodyOf: (item: T) => unknown): Promise<SerializedBytes> {
  const hash = createHash('sha256');
  const parts: Buffer[] = [];
  const add = (text: string): void => {
    const part = Buffer.from(text);
    hash.update(part);
    parts.push(part);
  };
  add('[');
  for (let start = 0; start < items.length; start += ITEMS_AT_ONCE) {
    const texts = items.slice(start, start + ITEMS_AT_ONCE).map((item) => JSON.stringify(bodyOf(item)));
    add(`${start === 0 ? '' : ','}${texts.join(',')}`);
    await setImmediate();
  }
  add(']');
  const bytes = Buffer.concat(parts);
  // A libuv thread compresses the bytes.
  return { bytes, etag: hash.digest('base64url'), gzip: await compress(bytes, { level: 4 }) };
}
