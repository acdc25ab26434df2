import { evolve, type State } from '@paper/exchange';
import { decode, UnreadableEvent, type Head, type StoredEvent } from '@paper/journal';
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
        throw new JournalUnreadable(reasonOf(stored.seq, error), { cause: error });
      }
      this.head = stored;
    }
    this.head = { hash: this.head.hash, seq: this.head.seq };
  }
}

function reasonOf(seq: number, error: unknown): string {
  const what = `sequence ${seq} of the journal cannot be folded`;
  if (!(error instanceof UnreadableEvent)) return `${what}: ${String(error)}`;
  return `${what}: ${error.message}. If a newer build wrote it, start that build instead (docs/upgrade.md).`;
}
