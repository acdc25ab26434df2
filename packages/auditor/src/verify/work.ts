import type { Head } from '@paper/journal';
import { Fault, type Finding, findingOf } from './fault.ts';
import type { AuditableEvent } from './page.ts';
import { RowCollector, type TableRows } from './rows/table-rows.ts';
import { RowFold } from './rows/row-fold.ts';
import { StateJudge } from './state-judge.ts';
import { type IssuedHead, TextJudge } from './text-judge.ts';

/** Judges pages of events, each page after the one before. What it finds is plain data. */
export type Work<Found> = (events: readonly AuditableEvent[]) => Found;

/** How many events of a page are good, and what is wrong with the next one. */
interface Good {
  readonly good: number;
  readonly fault: Finding | null;
}

export interface TextOptions {
  readonly base: Head;
  readonly heads: readonly IssuedHead[];
}

export interface TextsFound extends Good {
  /** Whether the last good event ended its decision. */
  readonly whole: boolean;
}

/** Judges by texts alone. */
export function textWork({ base, heads }: TextOptions): Work<TextsFound> {
  const judge = new TextJudge(base, heads);
  return (events) => ({
    ...untilFault(events, (stored) => {
      judge.next(stored);
    }),
    whole: judge.whole,
  });
}

export interface StateOptions {
  /** The sequence at which read models are compared; null where there are none. */
  readonly checkpoint: number | null;
  /** The journal's last sequence: after it everything is added up. */
  readonly end: number;
}

export interface StateFound extends Good {
  /** Rows that the read models must have at their checkpoint, and that no later event changes. */
  readonly rows: readonly TableRows[];
  /** Time of the event at the checkpoint, where that is in this page. With it come all rows that were not told yet. */
  readonly checkpointAt: number | null;
}

/** Judges by what events say, and folds the rows that follow from them. @throws UnknownRules */
export function stateWork({ checkpoint, end }: StateOptions): Work<StateFound> {
  const judge = new StateJudge();
  const collector = new RowCollector();
  const rows = new RowFold(judge.ledger, (table, row) => {
    collector.add(table, row);
  });
  return (events) => {
    let checkpointAt: number | null = null;
    const found = untilFault(events, (stored) => {
      const folds = checkpoint !== null && stored.seq <= checkpoint;
      const { event } = judge.next(stored, (coming) => {
        if (folds) rows.before(coming);
      });
      if (folds) rows.after(event, stored);
      if (stored.seq === checkpoint) {
        rows.finish();
        checkpointAt = event.at;
      }
      if (stored.seq === end) judge.recount(stored);
    });
    return { ...found, checkpointAt, rows: collector.take() };
  };
}

function untilFault(events: readonly AuditableEvent[], judge: (stored: AuditableEvent) => void): Good {
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

/** What a thread is asked to do. */
export type Task =
  | { readonly kind: 'texts'; readonly options: TextOptions }
  | { readonly kind: 'state'; readonly options: StateOptions };

export function workOf(task: Task): Work<TextsFound | StateFound> {
  return task.kind === 'texts' ? textWork(task.options) : stateWork(task.options);
}
