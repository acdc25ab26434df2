import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createMemoryJournal, createMemoryLog, withhold } from '@paper/journal';
import type { Journal, StoredEvent } from '@paper/journal';
import { JOURNAL_FILE } from '../protocol.ts';

/** The journal of a backtest: in memory, and appended to a file at the end of each moment. */
export class RecordedJournal {
  readonly #log = createMemoryLog();
  readonly journal: Journal = createMemoryJournal(this.#log);
  readonly #file: number;
  #bytes = 0;
  #written = 0;
  #taken = 0;

  /** @param folder where the file is made */
  constructor(folder: string) {
    this.#file = openSync(join(folder, JOURNAL_FILE), 'w', 0o600);
  }

  get events(): number {
    return this.#log.events.length;
  }

  /** Bytes of the file. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The events that were appended since the last call. */
  take(): readonly StoredEvent[] {
    const events = this.#log.events.slice(this.#taken);
    this.#taken += events.length;
    return events;
  }

  /** Writes what was appended since the last call to the file. */
  write(): void {
    const events = this.#log.events.slice(this.#written);
    if (events.length === 0) return;
    const lines = Buffer.from(events.map(line).join(''));
    for (let sent = 0; sent < lines.length;) sent += writeSync(this.#file, lines, sent);
    this.#bytes += lines.length;
    this.#written += events.length;
  }

  close(): void {
    this.write();
    closeSync(this.#file);
  }
}

/** As a line of GET /api/journal. */
function line(stored: StoredEvent): string {
  const { hash, id, privateDigest, publicText, seq, type } = withhold(stored);
  return `${JSON.stringify({ hash, id, privateDigest, publicText, seq, type })}\n`;
}
