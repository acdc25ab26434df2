import { Invariants } from '../invariants.ts';
import type { JudgedEvent } from '../judged-events.ts';
import type { Ledger } from '../ledger.ts';
import { Violation } from '../violation.ts';
import { type AuditedEvent, readEvent } from './audited-event.ts';
import { DecidedAgain } from './decided-again.ts';
import { Fault } from './fault.ts';
import type { AuditableEvent } from './page.ts';

/**
 * Running sums are held against each other after every event. Everything is added up anew only after so many: it takes
 * as long as there are accounts, orders and holdings.
 */
const RECOUNT_EVERY = 1_000_000;

/**
 * Judges events in order, whose texts are good, by what they say and what came before them: epochs, conservation, and
 * that the auditor's own twin decides to the same; the latter not where private parts of commands were withheld.
 */
export class StateJudge {
  readonly #invariants = new Invariants();
  readonly #again = new DecidedAgain();
  #epoch = 0;
  /** Events of the decision under way that are still to come. */
  #left = 0;

  /** The holdings after the last event. */
  get ledger(): Ledger {
    return this.#invariants.ledger;
  }

  /**
   * @param before told the event when it has been read, before it changes the ledger
   * @throws Fault, UnknownRules
   */
  next(stored: AuditableEvent, before?: (event: JudgedEvent) => void): AuditedEvent {
    const audited = readEvent(stored);
    const { decisionEvents, event } = audited;
    this.#checkEpoch(audited);
    this.#again.expect(audited);
    before?.(event);
    this.#left = (decisionEvents ?? this.#left) - 1;
    this.#unlessViolated(stored, () => {
      this.#invariants.event(event, stored.seq);
      if (this.#left === 0) this.#invariants.endOfDecision();
    });
    this.#again.compare(audited);
    if (stored.seq % RECOUNT_EVERY === 0) this.recount(stored);
    return audited;
  }

  /** Adds up every order and holding anew. @throws Fault */
  recount(last: AuditableEvent | null): void {
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

  #unlessViolated(stored: AuditableEvent | null, check: () => void): void {
    try {
      check();
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      const { rule, detail, seq } = error;
      throw new Fault('conservation', seq, stored, `"${rule}" is broken: ${detail}`, this.#again.expected);
    }
  }
}
