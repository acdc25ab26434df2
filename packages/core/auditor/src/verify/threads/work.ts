import type { Head } from '@paper/journal';
import type { AuditableEvent } from '../../journal/audited-event.ts';
import { Fault, findingOf } from '../../journal/fault.ts';
import type { Finding } from '../../journal/fault.ts';
import { noteFacts } from '../names/account-facts.ts';
import type { AccountFacts } from '../names/account-facts.ts';
import { RowFold } from '../rows/row-fold.ts';
import { RowSets } from '../rows/row-sets.ts';
import type { RowSet } from '../rows/row-sets.ts';
import { RowCollector } from '../rows/table-rows.ts';
import type { TableRows } from '../rows/table-rows.ts';
import { StateJudge } from '../state/state-judge.ts';
import { TextJudge } from '../texts/text-judge.ts';
import type { IssuedHead } from '../texts/text-judge.ts';

export type Events = readonly AuditableEvent[];
type Work<Found, Input = Events> = (input: Input) => Found;

interface Good {
  /** The number of valid events before the fault. */
  readonly good: number;
  readonly fault: Finding | null;
}

export interface TextOptions {
  readonly base: Head;
  readonly heads: readonly IssuedHead[];
}

export interface TextFindings extends Good {
  readonly whole: boolean;
}

function textWork({ base, heads }: TextOptions): Work<TextFindings> {
  const judge = new TextJudge(base, heads);
  return (events) => ({ ...untilFault(events, (stored) => judge.next(stored)), whole: judge.whole });
}

export interface StateOptions {
  /** The sequence at which read models are compared; null if they are not. */
  readonly checkpoint: number | null;
  /** The journal's last sequence, at which all sums are recomputed. */
  readonly end: number;
  readonly rowKey?: string | null;
}

/** The last valid event, without its texts. */
export type ProvenEvent = Pick<AuditableEvent, 'hash' | 'id' | 'privateDigest' | 'seq' | 'type'>;

/** What the judge of a page's content found, at the last valid event. */
export interface StateFindings extends Good {
  /** Null if the page has no valid event. */
  readonly last: ProvenEvent | null;
  readonly rows: readonly TableRows[];
  readonly sets: readonly RowSet[];
  readonly facts: AccountFacts;
  readonly at: number;
  readonly unprovenSelfTrades: number;
}

/** Events; or, after the page that ends at the checkpoint, a request for more live rows. */
export type StateInput = Events | 'live rows';

/** The most live rows in one message: all of them at once would be in memory several times. */
const LIVE_ROWS = 2_000;

/** Judges events, and computes their rows. An empty list of live rows marks their end. @throws UnknownRules */
export function stateWork(
  { checkpoint, end, rowKey = null }: StateOptions,
  liveRows: number = LIVE_ROWS,
): Work<StateFindings, StateInput> {
  const judge = new StateJudge();
  const sets = rowKey === null ? null : new RowSets(rowKey);
  const collector = new RowCollector(sets);
  const rows = new RowFold(judge.ledger, (table, row) => collector.add(table, row));
  const live = rows.finish();
  let at = 0;
  let sender: string | null = null;
  return (input) => {
    const facts: AccountFacts = { opened: [], renamed: [], forgotten: [], keys: [] };
    const found = (good: Good, last: ProvenEvent | null = null): StateFindings => {
      const { unprovenSelfTrades } = judge.ledger;
      return { ...good, at, facts, last, rows: collector.take(), sets: sets?.all ?? [], unprovenSelfTrades };
    };
    if (input === 'live rows') {
      let isDone = false;
      // Rows of tables that are compared by a hash do not enter the collector, so it may stay empty for a while.
      while (!isDone && collector.size < liveRows) isDone = live.next().done === true;
      return found({ fault: null, good: 0 });
    }
    const good = untilFault(input, (stored) => {
      const folds = checkpoint !== null && stored.seq <= checkpoint;
      const audited = judge.next(stored, (coming) => {
        if (folds) rows.before(coming);
      });
      const { command, decisionEvents, event, formerName } = audited;
      if (decisionEvents !== null) sender = command?.by.kind === 'key' ? command.by.keyId : null;
      if (folds) rows.after(event, { id: stored.id, seq: stored.seq, keyId: sender }, formerName);
      noteFacts(audited, facts);
      at = event.at;
      if (stored.seq === end) judge.recount(stored);
    });
    return found(good, provenEvent(input[good.good - 1]));
  };
}

function provenEvent(stored: AuditableEvent | undefined): ProvenEvent | null {
  if (stored === undefined) return null;
  const { hash, id, privateDigest, seq, type } = stored;
  return privateDigest === undefined ? { hash, id, seq, type } : { hash, id, privateDigest, seq, type };
}

function untilFault(events: Events, judge: (stored: AuditableEvent) => void): Good {
  let good = 0;
  try {
    for (const stored of events) {
      judge(stored);
      good += 1;
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { fault: findingOf(error), good };
  }
  return { fault: null, good };
}

export type Task =
  | { readonly kind: 'texts'; readonly options: TextOptions }
  | { readonly kind: 'state'; readonly options: StateOptions };

export function workOf(task: Task): Work<TextFindings | StateFindings, StateInput> {
  // The judge of texts computes no rows, so its input is narrower.
  return task.kind === 'texts' ? (textWork(task.options) as Work<TextFindings, StateInput>) : stateWork(task.options);
}
