import type { Head } from '@paper/journal';
import type { AuditableEvent } from '../../journal/audited-event.ts';
import { Fault } from '../../journal/fault.ts';
import { UsedIds } from '../ids/used-ids.ts';
import { Chain } from './chain.ts';
import { Decisions } from './decisions.ts';
import { checkOrderAsRequested } from './order-as-requested.ts';
import { checkTexts, keyHashIn, readStoredDecision } from './stored-texts.ts';

/** A head that was issued earlier: the event with this sequence had this hash. */
export interface IssuedHead extends Head {
  readonly at: string;
}

/**
 * Judges the texts of events in order: sequence, hashes, canonical form, schema, decisions, that no command and no id
 * comes twice, and issued heads. Of events up to `base`, only decisions and ids are followed.
 */
export class TextJudge {
  readonly #chain: Chain;
  readonly #decisions = new Decisions();
  readonly #usedIds = new UsedIds();
  readonly #heads = new Map<number, readonly IssuedHead[]>();

  constructor(
    private readonly base: Head,
    heads: readonly IssuedHead[] = [],
  ) {
    this.#chain = new Chain(base);
    for (const head of heads) this.#heads.set(head.seq, [...(this.#heads.get(head.seq) ?? []), head]);
  }

  get whole(): boolean {
    return this.#decisions.whole;
  }

  next(stored: AuditableEvent): void {
    if (stored.seq > this.base.seq) this.#chain.next(stored);
    const isJudged = stored.seq > this.base.seq;
    const decision = isJudged ? checkTexts(stored) : readStoredDecision(stored);
    this.#decisions.next(stored, decision);
    if (isJudged) checkOrderAsRequested(stored, decision.event, decision.command);
    this.#usedIds.next(stored, decision.event, keyHashIn(stored));
    for (const head of this.#heads.get(stored.seq) ?? []) {
      if (head.hash === stored.hash) continue;
      const found = `the journal has the hash ${stored.hash}`;
      throw new Fault('signed head', stored.seq, stored, found, `${head.hash}, as issued at ${head.at}`);
    }
  }
}
