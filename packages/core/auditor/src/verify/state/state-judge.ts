import type { JudgedEvent } from '../../events/judged-events.ts';
import type { AuditableEvent, AuditedEvent } from '../../journal/audited-event.ts';
import { readEvent } from '../../journal/audited-event.ts';
import { Fault } from '../../journal/fault.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { Violation } from '../../ledger/violation.ts';
import { Invariants } from '../../rules/invariants.ts';
import { DecidedAgain } from './decided-again.ts';

/** How often all sums are recomputed, which takes time proportional to accounts, orders and holdings. */
const RECOUNT_EVERY = 1_000_000;

/** Judges events whose texts were judged before: epochs, conservation, and the twin's decisions of known commands. */
export class StateJudge {
  readonly #invariants = new Invariants();
  readonly #again = new DecidedAgain();
  #epoch = 0;
  #left = 0;

  get ledger(): Ledger {
    return this.#invariants.ledger;
  }

  /** @param before called with the parsed event before it changes the ledger @throws Fault, UnknownRules */
  next(stored: AuditableEvent, before?: (event: JudgedEvent) => void): AuditedEvent {
    const audited = readEvent(stored);
    const { decisionEvents, event } = audited;
    this.#checkEpoch(audited);
    this.#again.expect(audited);
    before?.(event);
    this.#left = (decisionEvents ?? this.#left) - 1;
    this.#unlessViolated(stored, () => {
      this.#invariants.apply(event, stored.seq);
      if (this.#left === 0) this.#invariants.endOfDecision();
    });
    this.#again.compare(audited);
    if (stored.seq % RECOUNT_EVERY === 0) this.recount(stored);
    return audited;
  }

  /** Recomputes the sums of every order and holding. @throws Fault */
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
