import { createState, evolve } from '@paper/exchange';
import { decode, EMPTY_HEAD, type Journal } from '@paper/journal';
import { pauseAfter, type Appending } from './append.ts';
import type { Memory } from './memory.ts';

const PAGE = 5_000;

const nothingLoaded = (): Memory => ({ head: EMPTY_HEAD, state: createState() });

/**
 * Folds the journal to its end, from where `from` stands (its state is changed in place).
 *
 * @throws where the journal has a hole, or holds what cannot be decoded: then nothing may be decided.
 */
export async function loadToEnd(journal: Journal, from: Memory): Promise<Memory> {
  const { state } = from;
  let head = from.head;
  for (;;) {
    const page = await journal.read(head.seq + 1, PAGE);
    for (const stored of page) {
      if (stored.seq !== head.seq + 1) {
        throw new Error(`the journal goes on with sequence ${stored.seq} after ${head.seq}`);
      }
      const { event, command } = decode(stored);
      evolve(state, event, command);
      head = { hash: stored.hash, seq: stored.seq };
    }
    if (page.length < PAGE) return { head, state };
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
