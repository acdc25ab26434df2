import type { Journal, StoredEvent } from '../port.ts';
import { packEvents } from './packed-events.ts';

/** A journal whose appends can be relayed to another thread of the process. */
export interface RelayingJournal extends Journal {
  /** Calls the listener, until the returned function is called. */
  relay(listener: AppendListener): () => void;
}

/** Receives what an instance of a journal appends and hears of. */
export interface AppendListener {
  /** Events that the journal has acknowledged, in their order. */
  appended(batch: readonly StoredEvent[]): void;
  /** The journal may not end where the last batch ended: it has to be read. */
  unknown(): void;
  /** Another process may have appended. `seq`: the sequence that the journal is reported to have reached, if it is known. */
  announced(seq?: number): void;
}

/** A message to a `RelayedJournal` on another thread. */
export type RelayMessage =
  | { readonly kind: 'appended'; readonly packed: ArrayBuffer }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'announced'; readonly seq: number | undefined };

/** The most bytes that are under way. Beyond that the other thread reads the journal. */
const UNDER_WAY_MAX = 8 * 1024 * 1024;

/** Relays appended events to another thread, which returns the sequences that it has processed. */
export class AppendRelay implements AppendListener {
  readonly #underWay: { readonly seq: number; readonly bytes: number }[] = [];
  #bytes = 0;
  /** The sequence of the last event that was held back; null for none. */
  #heldBack: number | null = null;

  constructor(private readonly send: (message: RelayMessage, transferred: ArrayBuffer[]) => void) {}

  appended(batch: readonly StoredEvent[]): void {
    const last = batch.at(-1);
    if (last === undefined) return;
    if (this.#bytes >= UNDER_WAY_MAX) {
      this.#heldBack = last.seq;
      return;
    }
    const packed = packEvents(batch);
    this.#bytes += packed.byteLength;
    this.#underWay.push({ seq: last.seq, bytes: packed.byteLength });
    this.send({ kind: 'appended', packed }, [packed]);
  }

  unknown(): void {
    this.send({ kind: 'unknown' }, []);
  }

  announced(seq?: number): void {
    this.send({ kind: 'announced', seq }, []);
  }

  /** The other thread has processed all events up to `seq`. */
  processed(seq: number): void {
    while (this.#underWay[0] !== undefined && this.#underWay[0].seq <= seq) {
      this.#bytes -= this.#underWay[0].bytes;
      this.#underWay.shift();
    }
    if (this.#heldBack === null || this.#bytes >= UNDER_WAY_MAX) return;
    this.send({ kind: 'announced', seq: this.#heldBack }, []);
    this.#heldBack = null;
  }
}
