import { createState, evolve, type State } from '@paper/exchange';
import { decode, EMPTY_HEAD, type Head, type Journal } from '@paper/journal';

const PAGE = 5_000;

/** A state and the place in the journal that it is the fold of. */
export interface Loaded {
  readonly state: State;
  readonly head: Head;
}

export const nothingLoaded = (): Loaded => ({ head: EMPTY_HEAD, state: createState() });

/**
 * Folds the journal to its end, from where `from` stands (its state is changed in place).
 *
 * @throws where the journal has a hole, or holds what cannot be decoded: then nothing may be decided.
 */
export async function loadToEnd(journal: Journal, from: Loaded): Promise<Loaded> {
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
