import type { Head, StoredEvent } from '@paper/journal';
import { StateJudge } from './state/state-judge.ts';
import { TextJudge } from './texts/text-judge.ts';

/** Applies all checks to each event as it is appended. Simulations use it. */
export class Judge {
  readonly #texts: TextJudge;
  readonly #state = new StateJudge();

  constructor(base: Head) {
    this.#texts = new TextJudge(base);
  }

  get whole(): boolean {
    return this.#texts.whole;
  }

  next(stored: StoredEvent): void {
    this.#texts.next(stored);
    this.#state.next(stored);
  }

  /** Recomputes the sums of every order and holding. @throws Fault */
  recount(last: StoredEvent | null): void {
    this.#state.recount(last);
  }
}
