import type { Command } from '@paper/exchange/commands';
import type { ExchangeEvent } from '@paper/exchange/events';
import { checkChain, decode } from '@paper/journal';
import type { Head, Journal, JournalEvent } from '@paper/journal';

/** The decision on one command, as far as its events were read. */
export interface StoredDecision {
  readonly command: Command;
  readonly events: readonly ExchangeEvent[];
  /** The sequences of its first event and of its last event that was read. */
  readonly seq: number;
  readonly lastSeq: number;
}

/** A difference between the journal and the answers that clients got. */
export type HistoryFault =
  | { readonly kind: 'twice'; readonly name: string; readonly first: StoredDecision; readonly seq: number }
  /** `answer`: the final refusal, or what the client was answered if the command did nothing. */
  | { readonly kind: 'refused'; readonly name: string; readonly answer: string; readonly seq: number };

/**
 * Finds commands that a journal has twice, or that it has although they were refused. Names (the id, the key) tell them
 * apart.
 */
export class CommandHistory {
  readonly #decisions = new Map<string, StoredDecision>();
  readonly #refused = new Map<string, string>();
  #last: { events: ExchangeEvent[]; lastSeq: number } | null = null;

  constructor(
    private readonly namesOf: (command: Command) => readonly string[],
    private readonly onFault: (fault: HistoryFault) => void,
  ) {}

  find(name: string): StoredDecision | undefined {
    return this.#decisions.get(name);
  }

  /** Call when the command with this name got a final refusal, or did nothing. */
  refuse(name: string, answer: string): void {
    this.#refused.set(name, answer);
    const decision = this.#decisions.get(name);
    if (decision !== undefined) this.onFault({ kind: 'refused', name, answer, seq: decision.seq });
  }

  /** Adds the journal's next event. Returns the decision that it begins; null for a further event of a decision. */
  add({ command, event, seq }: Pick<JournalEvent, 'command' | 'event' | 'seq'>): StoredDecision | null {
    if (command === null) {
      this.#last?.events.push(event);
      if (this.#last !== null) this.#last.lastSeq = seq;
      return null;
    }
    const decision = { command, events: [event], lastSeq: seq, seq };
    this.#last = decision;
    for (const name of this.namesOf(command)) {
      const answer = this.#refused.get(name);
      if (answer !== undefined) this.onFault({ kind: 'refused', name, answer, seq });
      const first = this.#decisions.get(name);
      if (first === undefined) this.#decisions.set(name, decision);
      else this.onFault({ kind: 'twice', name, first, seq });
    }
    return decision;
  }
}

const PAGE = 5_000;

/** Reads a journal from a head to its end, or at least to `end`, and checks the hash chain. @throws ChainBroken */
export async function* verifiedPages(
  journal: Pick<Journal, 'read'>,
  from: Head,
  end = Infinity,
): AsyncGenerator<{ readonly head: Head; readonly events: readonly JournalEvent[] }> {
  let head = from;
  while (head.seq < end) {
    const page = await journal.read(head.seq + 1, PAGE);
    if (page.length === 0) return;
    head = checkChain(head, page);
    yield { head, events: page.map(decode) };
  }
}
