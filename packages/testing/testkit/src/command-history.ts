import type { Command } from '@paper/exchange/commands';
import type { ExchangeEvent } from '@paper/exchange/events';
import { checkChain, decode } from '@paper/journal';
import type { Head, Journal, JournalEvent } from '@paper/journal';

/** The decision on one command, as far as the journal was read. */
export interface StoredDecision {
  readonly command: Command;
  readonly events: readonly ExchangeEvent[];
  /** The sequences of the decision's first event and of the last one read. */
  readonly seq: number;
  readonly lastSeq: number;
}

/** A difference between the journal and the answers that clients got. */
export type HistoryFault =
  | { readonly kind: 'twice'; readonly name: string; readonly first: StoredDecision; readonly seq: number }
  /** `answer`: the refusal. */
  | { readonly kind: 'refused'; readonly name: string; readonly answer: string; readonly seq: number };

/**
 * Compares a journal with the answers that clients got. Clients and journal call a command by the same names, such as
 * its id or its Idempotency-Key. Each name is in the journal once at most, and no refused name is.
 */
export class CommandHistory {
  readonly #decisions = new Map<string, StoredDecision>();
  readonly #refused = new Map<string, string>();
  #last: { events: ExchangeEvent[]; lastSeq: number } | null = null;

  constructor(
    private readonly namesOf: (command: Command) => readonly string[],
    private readonly onFault: (fault: HistoryFault) => void,
  ) {}

  /** The decision on the command with this name; undefined while none was read. */
  find(name: string): StoredDecision | undefined {
    return this.#decisions.get(name);
  }

  /** Call when the command with this name got a final refusal, or did nothing. */
  refuse(name: string, answer: string): void {
    this.#refused.set(name, answer);
    const decision = this.#decisions.get(name);
    if (decision !== undefined) this.onFault({ kind: 'refused', name, answer, seq: decision.seq });
  }

  /** Takes the journal's next event. Gives the decision that it begins; null where it continues one. */
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

/**
 * Reads a journal on from `head`, at least to the sequence `end` where it has that, and checks the chain.
 * @throws ChainBroken; the errors of reads, after which it can go on from the last head.
 */
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
