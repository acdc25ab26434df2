import { appendFileSync, closeSync, openSync, readSync, unlinkSync } from 'node:fs';
import { withhold } from '@paper/journal';
import type { LogEvents, StoredEvent } from '@paper/journal';

const KEPT = 2_000;
const BLOCK = 100;

/** A file with one event a line, which is read by line numbers. */
class LineFile {
  readonly #file: number;
  readonly #begins: number[] = [];
  #lines = 0;
  bytes = 0;

  constructor(readonly path: string) {
    this.#file = openSync(path, 'w+', 0o600);
  }

  add(lines: readonly string[]): void {
    for (const line of lines) {
      if (this.#lines % BLOCK === 0) this.#begins.push(this.bytes);
      this.#lines += 1;
      this.bytes += Buffer.byteLength(line) + 1;
    }
    appendFileSync(this.#file, lines.map((line) => `${line}\n`).join(''));
  }

  /** The lines from one number up to another. */
  read(from: number, to: number): readonly string[] {
    const first = Math.floor(from / BLOCK);
    const begin = this.#begins[first] ?? this.bytes;
    const bytes = Buffer.alloc((this.#begins[Math.ceil(to / BLOCK)] ?? this.bytes) - begin);
    readSync(this.#file, bytes, 0, bytes.length, begin);
    return bytes
      .toString()
      .split('\n')
      .slice(from - first * BLOCK, to - first * BLOCK);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** The events of a journal. Only the newest are in memory; the others are read from their files. */
export class FiledEvents implements LogEvents {
  /** The public parts, as lines of GET /api/journal. */
  readonly #public: LineFile;
  readonly #private: LineFile;
  #recent: StoredEvent[] = [];
  #dropped = 0;
  #written = 0;

  constructor(path: string) {
    this.#public = new LineFile(path);
    this.#private = new LineFile(`${path}.private`);
  }

  get length(): number {
    return this.#dropped + this.#recent.length;
  }

  get bytes(): number {
    return this.#public.bytes + this.#private.bytes;
  }

  push(...events: readonly StoredEvent[]): number {
    this.#recent.push(...events);
    return this.length;
  }

  at(index: number): StoredEvent | undefined {
    const from = index < 0 ? this.length + index : index;
    return this.slice(from, from + 1)[0];
  }

  slice(from = 0, to = this.length): StoredEvent[] {
    const end = Math.min(to, this.length);
    if (from >= this.#dropped) return this.#recent.slice(from - this.#dropped, Math.max(0, end - this.#dropped));
    const old = Math.min(end, this.#dropped);
    const privates = this.#private.read(from, old);
    const events = this.#public.read(from, old).map((line, index) => {
      const { privateDigest: _withheld, ...stored } = JSON.parse(line) as Omit<StoredEvent, 'privateText'>;
      return { ...stored, privateText: JSON.parse(privates[index] ?? 'null') as string | null };
    });
    return [...events, ...this.#recent.slice(0, end - old)];
  }

  write(): void {
    const added = this.slice(this.#written);
    this.#written += added.length;
    this.#public.add(added.map(lineOf));
    this.#private.add(added.map(({ privateText }) => JSON.stringify(privateText)));
    if (this.#recent.length < 2 * KEPT) return;
    this.#dropped += this.#recent.length - KEPT;
    this.#recent = this.#recent.slice(-KEPT);
  }

  close(): void {
    this.write();
    this.#public.close();
    this.#private.close();
    unlinkSync(this.#private.path);
  }
}

function lineOf(stored: StoredEvent): string {
  const { hash, id, privateDigest, publicText, seq, type } = withhold(stored);
  return JSON.stringify({ hash, id, privateDigest, publicText, seq, type });
}
