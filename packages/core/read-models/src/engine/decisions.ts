import type { CommandlessEvent } from '@paper/journal';
import { ProjectionFault } from './faults.ts';

/**
 * Cuts a stream of events into batches of whole decisions, so that a read model never shows half of one. A batch has at
 * most `batchSize` events, or is one decision.
 */
export class DecisionCutter {
  #batch = 0;
  #left = 0;

  constructor(private batchSize: number) {}

  /** The number of events in the batch so far. */
  get batch(): number {
    return this.#batch;
  }

  /** Whether the last event completed its decision, so that the batch may end here. */
  get mayCut(): boolean {
    return this.#left === 0;
  }

  /**
   * Whether the batch must end before this event, since the event's decision would make it too large.
   * @throws ProjectionFault when a decision should begin with this event, and does not.
   */
  mustCutBefore({ decisionEvents, seq }: CommandlessEvent): boolean {
    if (this.#left > 0) return false;
    if (decisionEvents === null) throw new ProjectionFault(`sequence ${seq} begins no decision`);
    return this.#batch > 0 && this.#batch + decisionEvents > this.batchSize;
  }

  /** Adds the next event to the batch. */
  take({ decisionEvents }: CommandlessEvent): void {
    if (this.#left === 0) this.#left = decisionEvents ?? 0;
    this.#left -= 1;
    this.#batch += 1;
  }

  /** Ends the batch. The next event begins another one, of at most this many events; default: as many as before. */
  cut(batchSize = this.batchSize): void {
    this.#batch = 0;
    this.batchSize = batchSize;
  }
}
