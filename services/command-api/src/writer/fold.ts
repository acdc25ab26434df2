import { evolve, type State } from '@paper/exchange';
import { decode, type Head, type StoredEvent } from '@paper/journal';
import type { Memory } from './memory.ts';

/** The journal holds what this build cannot fold: nothing may be decided here, however often it is read. */
export class JournalUnreadable extends Error {
  override readonly name = 'JournalUnreadable';
}

/** A memory that follows the journal, page by page. It changes the state that it began from in place. */
export class Fold {
  private readonly state: State;
  private head: Head;
  /** Events of the last decision that have not come yet. */
  private missing = 0;

  /** `from` stands between two decisions. */
  constructor(from: Memory) {
    this.state = from.state;
    this.head = from.head;
  }

  /** Whether the last decision is there whole: only then may anything be decided, or be kept as a snapshot. */
  get whole(): boolean {
    return this.missing === 0;
  }

  get memory(): Memory {
    return { head: this.head, state: this.state };
  }

  /**
   * Applies the events that follow.
   *
   * @throws JournalUnreadable where the page leaves a hole, or holds what cannot be decoded or applied: then the memory
   * is good for nothing.
   */
  add(page: readonly StoredEvent[]): void {
    for (const stored of page) {
      if (stored.seq !== this.head.seq + 1) {
        throw new JournalUnreadable(`the journal goes on with sequence ${stored.seq} after ${this.head.seq}`);
      }
      try {
        const { event, command, decisionEvents } = decode(stored);
        evolve(this.state, event, command);
        this.missing = (decisionEvents ?? this.missing) - 1;
      } catch (error) {
        const message = `sequence ${stored.seq} of the journal cannot be folded: ${String(error)}`;
        throw new JournalUnreadable(message, { cause: error });
      }
      this.head = stored;
    }
    this.head = { hash: this.head.hash, seq: this.head.seq };
  }
}
