import type { Head } from '@paper/journal';
import { createReadStream, openSync, readSync, closeSync, fstatSync } from 'node:fs';
import { SHA256 } from '../events/formats/values.ts';
import type { AuditableEvent } from './audited-event.ts';
import { Fault } from './fault.ts';

/** A journal that can only be read. */
export interface ReadOnlyJournal {
  head(): Promise<Head>;
  read(fromSeq: number, limit: number): Promise<readonly AuditableEvent[]>;
  /** Checks that a journal's tables contain only its events; missing without tables. @throws Fault */
  checkTables?(): Promise<void>;
  close(): Promise<void>;
}

/** The file is not a journal, or its download is incomplete. */
export class NoPublicFile extends Error {
  override readonly name = 'NoPublicFile';
}

/** The longest line: an append has at most 1 MiB, and a JSON string can be six times as long as its text. */
const LINE_BYTES = 8 * 1024 * 1024;
const KEYS = ['hash', 'id', 'privateDigest', 'publicText', 'seq', 'type'] as const;
const LINE = `a line as GET /api/journal gives it: a JSON object with ${KEYS.join(', ')}`;

/** Lines as GET /api/journal serves them. The file is read forward; an earlier page is read from the front again. */
export class PublicFile implements ReadOnlyJournal {
  #lines: AsyncGenerator<string> | null = null;
  #lineNumber = 0;
  #next = 1;
  /** Thrown once all events before it were read. */
  #fault: Fault | null = null;

  constructor(private readonly file: string) {}

  /** @throws NoPublicFile when the file's last line is incomplete. */
  head(): Promise<Head> {
    return new Promise((resolve) => {
      const text = lastLine(this.file);
      const event = text === null ? null : eventOf(text);
      if (text !== null && event === null) {
        throw new NoPublicFile(
          `${this.file} does not end with ${LINE}. Where it was cut off, verify-journal.mjs goes on with --save.`,
        );
      }
      resolve(event === null ? { hash: '0'.repeat(64), seq: 0 } : { hash: event.hash, seq: event.seq });
    });
  }

  async read(fromSeq: number, limit: number): Promise<readonly AuditableEvent[]> {
    // Returns every line, whatever its sequence: the judge checks sequences.
    let isReached = this.#lines !== null && fromSeq === this.#next;
    if (!isReached) await this.#rewind();
    if (this.#fault !== null) throw this.#fault;
    const events: AuditableEvent[] = [];
    while (events.length < limit) {
      const read = await this.#lines?.next();
      if (read === undefined || read.done === true) break;
      this.#lineNumber += 1;
      const event = eventOf(read.value);
      if (event === null) {
        this.#fault = new Fault('schema', this.#next, null, `line ${this.#lineNumber} is none`, LINE);
        if (events.length > 0) break;
        throw this.#fault;
      }
      this.#next = event.seq + 1;
      isReached ||= event.seq >= fromSeq;
      if (isReached) events.push(event);
    }
    return events;
  }

  async close(): Promise<void> {
    await this.#lines?.return(undefined);
  }

  async #rewind(): Promise<void> {
    await this.close();
    this.#lines = linesOf(this.file);
    this.#lineNumber = 0;
    this.#next = 1;
    this.#fault = null;
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      yield bytes.toString('utf8', start, end);
      start = end + 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > LINE_BYTES) throw new NoPublicFile(`${file} has a line that is longer than any event can be.`);
  }
  if (rest.length > 0) yield rest.toString('utf8');
}

function lastLine(file: string): string | null {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const bytes = Buffer.alloc(Math.min(size, LINE_BYTES));
    readSync(handle, bytes, 0, bytes.length, size - bytes.length);
    const text = bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes;
    return size === 0 ? null : text.toString('utf8', text.lastIndexOf(10) + 1);
  } finally {
    closeSync(handle);
  }
}

function eventOf(text: string): AuditableEvent | null {
  let line: Partial<Record<(typeof KEYS)[number], unknown>> | null;
  try {
    line = JSON.parse(text) as typeof line;
  } catch {
    return null;
  }
  if (typeof line !== 'object' || line === null || Object.keys(line).sort().join() !== KEYS.join()) return null;
  const { hash, id, privateDigest, publicText, seq, type } = line;
  if (!Number.isSafeInteger(seq) || !isDigest(hash) || !isDigest(privateDigest)) return null;
  if (typeof id !== 'string' || typeof publicText !== 'string' || typeof type !== 'string') return null;
  return { hash, id, privateDigest, privateText: null, publicText, seq: seq as number, type };
}

const isDigest = (value: unknown): value is string => typeof value === 'string' && SHA256.test(value);
