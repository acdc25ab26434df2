import type { Head, StoredEvent } from '@paper/journal';
import { Invariants } from '../invariants.ts';
import type { JudgedEvent } from '../judged-events.ts';
import type { Ledger } from '../ledger.ts';
import { Violation } from '../violation.ts';
import { Chain } from './chain.ts';
import { DecidedAgain } from './decided-again.ts';
import { Decisions } from './decisions.ts';
import { Fault } from './fault.ts';
import { type AuditedEvent, checkTexts, readEvent } from './stored-texts.ts';

/** Everything is added up anew after so many events: it takes as long as there are accounts, orders and holdings. */
const RECOUNT_EVERY = 250_000;

/**
 * Judges the events of a journal in order, each as far as an event can be judged by itself and by what came before it.
 * `base` is the head that the first judged event follows. What comes up to there is folded without being judged by
 * its texts and hashes.
 */
export class Judge {
  readonly #chain: Chain;
  readonly #decisions = new Decisions();
  readonly #invariants = new Invariants();
  readonly #again = new DecidedAgain();
  #epoch = 0;

  constructor(private readonly base: Head) {
    this.#chain = new Chain(base);
  }

  /** The last event that was judged. */
  get head(): Head {
    return this.#chain.head;
  }

  /** Who has what after the last event. */
  get ledger(): Ledger {
    return this.#invariants.ledger;
  }

  /** Whether the last event ended its decision. */
  get whole(): boolean {
    return this.#decisions.whole;
  }

  /**
   * @param before told the event when it has been read, before it changes the ledger
   * @throws Fault, UnknownRules
   */
  next(stored: StoredEvent, before?: (event: JudgedEvent) => void): AuditedEvent {
    if (stored.seq > this.base.seq) {
      this.#chain.next(stored);
      checkTexts(stored);
    }
    const audited = readEvent(stored);
    this.#decisions.next(audited);
    this.#checkEpoch(audited);
    this.#again.expect(audited);
    before?.(audited.event);
    this.#unlessViolated(stored, () => {
      this.#invariants.event(audited.event, stored.seq);
      if (this.whole) this.#invariants.endOfDecision();
    });
    this.#again.compare(audited);
    if (stored.seq % RECOUNT_EVERY === 0) this.recount(stored);
    return audited;
  }

  /** Adds up every order and holding anew. @throws Fault */
  recount(last: StoredEvent | null): void {
    this.#unlessViolated(last, () => this.#invariants.recount());
  }

  #checkEpoch({ stored, event }: AuditedEvent): void {
    if (event.type !== 'WriterEpochStarted') return;
    const due = this.#epoch + 1;
    if (event.epoch !== due) {
      const found = `epoch ${event.epoch} starts after epoch ${this.#epoch}`;
      throw new Fault('epochs', stored.seq, stored, found, `epoch ${due}`);
    }
    this.#epoch = due;
  }

  #unlessViolated(stored: StoredEvent | null, check: () => void): void {
    try {
      check();
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      const { rule, detail, seq } = error;
      throw new Fault('conservation', seq, stored, `"${rule}" is broken: ${detail}`, this.#again.expected);
    }
  }
}
