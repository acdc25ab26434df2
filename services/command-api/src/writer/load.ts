import { createState } from '@paper/exchange';
import { EMPTY_HEAD, type Journal, type StoredEvent } from '@paper/journal';
import { pauseAfter, type Appending } from './append.ts';
import { Fold } from './fold.ts';
import type { Memory } from './memory.ts';

const PAGE = 5_000;

const nothingLoaded = (): Memory => ({ head: EMPTY_HEAD, state: createState() });

/** The journal holds what this build cannot fold: nothing may be decided here, however often it is read. */
export class JournalUnreadable extends Error {
  override readonly name = 'JournalUnreadable';
}

/**
 * Folds the events that follow on `from`, whose state is changed in place.
 *
 * @throws JournalUnreadable where there is a hole, or what cannot be decoded or applied.
 */
export function fold(from: Memory, page: readonly StoredEvent[]): Memory {
  const { state } = from;
  let head = from.head;
  for (const stored of page) {
    if (stored.seq !== head.seq + 1) {
      throw new JournalUnreadable(`the journal goes on with sequence ${stored.seq} after ${head.seq}`);
    }
    try {
      const { event, command } = decode(stored);
      evolve(state, event, command);
    } catch (error) {
      throw new JournalUnreadable(`sequence ${stored.seq} of the journal cannot be folded: ${String(error)}`, {
        cause: error,
      });
    }
    head = { hash: stored.hash, seq: stored.seq };
  }
  return { head, state };
}

/**
 * Folds the journal to its end, from where `from` stands (its state is changed in place).
 *
 * @throws JournalUnreadable, and whatever a read throws: then nothing may be decided.
 */
export async function loadToEnd(journal: Journal, from: Memory): Promise<Memory> {
  let memory = from;
  for (;;) {
    const page = await journal.read(memory.head.seq + 1, PAGE);
    memory = fold(memory, page);
    if (page.length < PAGE) return memory;
  }
}

/**
 * What a fold of the journal begins from: nothing, or a memory of an earlier place in it. Each call gives another one,
 * for the fold changes it in place. Rejects where the journal could not be read.
 */
export type Beginning = () => Promise<Memory>;

export const fromNothing: Beginning = () => Promise.resolve(nothingLoaded());

/** Folds the journal to its end, as often as it takes to get it; null when the writer ended before. */
export async function loadForEver(
  { journal, clock, observer, ended }: Appending,
  begin: Beginning,
): Promise<Memory | null> {
  for (let attempt = 1; !ended(); attempt += 1) {
    try {
      return await loadToEnd(journal, await begin());
    } catch (error) {
      observer.alarm('the journal cannot be read', error);
      await pauseAfter(attempt, clock);
    }
  }
  return null;
}
