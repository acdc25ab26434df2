import type { StoredEvent } from '../port.ts';

/** The length of a private text that an event does not have. */
const ABSENT = 0xffff_ffff;

/** Bytes of an event in addition to its texts: its sequence, and the length of each of its five texts. */
const FIXED_BYTES = 8 + 5 * 4;

/** Packs whole events into one buffer, which another thread takes over without a copy. */
export function packEvents(events: readonly StoredEvent[]): ArrayBuffer {
  let size = 0;
  for (const { hash, id, privateText, publicText, type } of events) {
    size += FIXED_BYTES + Buffer.byteLength(publicText) + (privateText === null ? 0 : Buffer.byteLength(privateText));
    size += Buffer.byteLength(hash) + Buffer.byteLength(id) + Buffer.byteLength(type);
  }
  const packed = new ArrayBuffer(size);
  const bytes = Buffer.from(packed);
  let at = 0;
  const addText = (text: string | null): void => {
    const length = text === null ? 0 : bytes.write(text, at + 4);
    bytes.writeUInt32LE(text === null ? ABSENT : length, at);
    at += 4 + length;
  };
  for (const { hash, id, privateText, publicText, seq, type } of events) {
    at = bytes.writeDoubleLE(seq, at);
    addText(hash);
    addText(id);
    addText(type);
    addText(publicText);
    addText(privateText);
  }
  return packed;
}

/** The events of a buffer that `packEvents` has made. */
export function unpackEvents(packed: ArrayBuffer): readonly StoredEvent[] {
  const bytes = Buffer.from(packed);
  const events: StoredEvent[] = [];
  let at = 0;
  const takeText = (): string | null => {
    const length = bytes.readUInt32LE(at);
    at += 4;
    if (length === ABSENT) return null;
    at += length;
    return bytes.toString('utf8', at - length, at);
  };
  while (at < bytes.length) {
    const seq = bytes.readDoubleLE(at);
    at += 8;
    const [hash, id, type] = [takeText() ?? '', takeText() ?? '', takeText() ?? ''];
    events.push({ seq, hash, id, type, publicText: takeText() ?? '', privateText: takeText() });
  }
  return events;
}
