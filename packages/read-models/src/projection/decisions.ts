import type { JournalEvent } from '@paper/journal';
import { ProjectionFault } from './faults.ts';

/**
 * Cuts a stream of events into batches of whole decisions, so that a read model never shows half of one. A batch has
 * at most `batchSize` events, or is one decision.
 */
export class DecisionCutter {
  #waiting: JournalEvent[] = [];

  constructor(private readonly batchSize: number) {}

  /** The batches that are complete with these events; the beginning of a decision waits for its end. */
  take(events: readonly JournalEvent[]): readonly (readonly JournalEvent[])[] {
    const all = this.#waiting.concat(events);
    const batches: JournalEvent[][] = [];
    let start = 0;
    let end = 0;
    for (let next = nextDecision(all, 0); next !== null; next = nextDecision(all, next)) {
      if (next - start > this.batchSize && end > start) {
        batches.push(all.slice(start, end));
        start = end;
      }
      end = next;
    }
    if (end > start) batches.push(all.slice(start, end));
    this.#waiting = all.slice(end);
    return batches;
  }
}

/** Where the decision that begins at `from` ends; null when its end is not there yet. */
function nextDecision(events: readonly JournalEvent[], from: number): number | null {
  const first = events[from];
  if (first === undefined) return null;
  if (first.decisionEvents === null) throw new ProjectionFault(`sequence ${first.seq} begins no decision`);
  const end = from + first.decisionEvents;
  return end > events.length ? null : end;
}
