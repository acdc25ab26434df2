import { evolve } from '@paper/exchange';
import type { State } from '@paper/exchange';
import { decode, JournalDamaged, UnreadableEvent } from '@paper/journal';
import type { Head, StoredEvent } from '@paper/journal';
import type { FleetUsage } from '../usage/fleet-usage.ts';

/** The exchange's state as decided so far, the fleets' usage, and the journal's head at which both are durable. */
export interface FoldedState {
  readonly state: State;
  readonly head: Head;
  readonly usage: FleetUsage;
}

/** The journal holds events that this build cannot fold. Retrying does not help, and nothing may be decided. */
export class JournalUnreadable extends Error {
  override readonly name = 'JournalUnreadable';
}

/** Whether no retry can help: the journal holds events that cannot be folded, or a page is damaged. */
export function isUnreadable(error: unknown): error is JournalDamaged | JournalUnreadable {
  return error instanceof JournalUnreadable || error instanceof JournalDamaged;
}

/** Folds the journal page by page. Changes the state and the usage of its start point in place. */
export class Fold {
  readonly #state: State;
  readonly #usage: FleetUsage;
  #head: Head;
  #missing = 0;

  /** Starts from a state at the end of a decision. */
  constructor(from: FoldedState) {
    this.#state = from.state;
    this.#usage = from.usage;
    this.#head = from.head;
  }

  /** Whether the last decision is complete: only then may anything be decided, or a snapshot be taken. */
  get whole(): boolean {
    return this.#missing === 0;
  }

  get folded(): FoldedState {
    return { head: this.#head, state: this.#state, usage: this.#usage };
  }

  /** Applies events. @throws JournalUnreadable for a gap or an unknown event: then the caller must drop the state. */
  add(page: readonly StoredEvent[]): void {
    for (const stored of page) {
      if (stored.seq !== this.#head.seq + 1) {
        throw new JournalUnreadable(
          `the journal goes on with sequence ${stored.seq} after ${this.#head.seq}. There are two ways on: restore a backup ` +
            '(docs/operate/backup.md), or find out what is left (docs/prove/audit.md, "A damaged journal").',
        );
      }
      try {
        const { event, command, decisionEvents } = decode(stored);
        evolve(this.#state, event, command);
        this.#usage.add(stored, event.at, command, this.#state);
        this.#missing = (decisionEvents ?? this.#missing) - 1;
      } catch (error) {
        throw unreadable(stored.seq, error);
      }
      this.#head = stored;
    }
    this.#head = { hash: this.#head.hash, seq: this.#head.seq };
  }
}

/** Builds the error for a journal whose event of this sequence cannot be decoded or applied. */
export function unreadable(seq: number, error: unknown): JournalUnreadable {
  const what = `sequence ${seq} of the journal cannot be folded`;
  const newer = 'If a newer build wrote it, start that build instead (docs/operate/upgrade.md).';
  const reason = error instanceof UnreadableEvent ? `${error.message}. ${newer}` : String(error);
  return new JournalUnreadable(`${what}: ${reason}`, { cause: error });
}
