// Node 20 has String.prototype.isWellFormed; the ES2023 library does not declare it yet.
/// <reference lib="es2024.string" />
import type { AuditableEvent } from '../../journal/audited-event.ts';

/**
 * A page of events in memory that threads share. Copying texts to each thread, and keeping those of all pages under way
 * on the heap, took a quarter of the main thread's processor time.
 */
export interface Page {
  readonly bytes: SharedArrayBuffer;
  readonly seqs: readonly number[];
  /** The length in bytes of each text, in the order of `TEXTS`; `ABSENT` and `APART` for texts without bytes. */
  readonly lengths: readonly number[];
  /** The texts with a lone surrogate, which have no bytes in UTF-8. */
  readonly apart: readonly string[];
}

/** The first `count` events of a page. */
export interface FirstEvents {
  readonly page: Page;
  readonly count: number;
}

const TEXTS = ['hash', 'id', 'type', 'publicText', 'privateText', 'privateDigest'] as const;
const ABSENT = -1;
const APART = -2;
/** Enough for most pages; memory that no text has reached yet takes none of the machine's. */
const FIRST_BYTES = 8 * 1024 * 1024;
/** UTF-8 has at most three bytes for each unit of a JavaScript string. */
const BYTES_PER_UNIT = 3;

/** The memory of pages. It is reused, since the first access to each new page of memory is slow. */
export class PageMemory {
  readonly #free: Buffer[] = [];

  /** Copies events into memory that is not used otherwise until `release`. */
  write(events: readonly AuditableEvent[]): Page {
    const bytes = this.#take(mostBytes(events));
    const lengths: number[] = [];
    const apart: string[] = [];
    let end = 0;
    for (const event of events) {
      for (const name of TEXTS) {
        const text = event[name] ?? null;
        if (text === null) {
          lengths.push(ABSENT);
        } else if (text.isWellFormed()) {
          const length = bytes.write(text, end);
          lengths.push(length);
          end += length;
        } else {
          lengths.push(APART);
          apart.push(text);
        }
      }
    }
    return { apart, bytes: bytes.buffer as unknown as SharedArrayBuffer, lengths, seqs: events.map(({ seq }) => seq) };
  }

  release({ bytes }: Page): void {
    this.#free.push(Buffer.from(bytes));
  }

  #take(most: number): Buffer {
    const free = this.#free.pop();
    if (free !== undefined && free.length >= most) return free;
    return Buffer.from(new SharedArrayBuffer(Math.max(FIRST_BYTES, most)));
  }
}

function mostBytes(events: readonly AuditableEvent[]): number {
  let units = 0;
  for (const event of events) {
    for (const name of TEXTS) units += event[name]?.length ?? 0;
  }
  return units * BYTES_PER_UNIT;
}

export function eventsOf({ count, page }: FirstEvents): AuditableEvent[] {
  const { apart, bytes, lengths, seqs } = page;
  const buffer = Buffer.from(bytes);
  let [at, place, nextApart] = [0, 0, 0];
  const read = (): string | null => {
    const length = lengths[place] ?? ABSENT;
    place += 1;
    if (length === ABSENT) return null;
    if (length === APART) return apart[nextApart++] ?? null;
    at += length;
    return buffer.toString('utf8', at - length, at);
  };
  return seqs.slice(0, count).map((seq) => {
    // In the order of `TEXTS`.
    const [hash, id, type, publicText, privateText, privateDigest] = [read(), read(), read(), read(), read(), read()];
    const event = { hash: hash ?? '', id: id ?? '', privateText, publicText: publicText ?? '', seq, type: type ?? '' };
    return privateDigest === null ? event : { ...event, privateDigest };
  });
}
