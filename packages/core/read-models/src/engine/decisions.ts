import type { CommandlessEvent } from '@paper/journal';
import { ProjectionFault } from './faults.ts';

/** Cuts events into batches of whole decisions (the events of a command): at most `batchSize` events, or a decision. */
export class DecisionCutter {
  #batch = 0;
  #left = 0;

  constructor(private batchSize: number) {}

  get batch(): number {
    return this.#batch;
  }

  /** Whether the last event completed its decision, so that the batch may end here. */
  get mayCut(): boolean {
    return this.#left === 0;
  }

  /** Whether this event's decision would make the batch too large. @throws ProjectionFault if it begins no decision */
  mustCutBefore({ decisionEvents, seq }: CommandlessEvent): boolean {
    if (this.#left > 0) return false;
    if (decisionEvents === null) throw new ProjectionFault(`sequence ${seq} begins no decision`);
    return this.#batch > 0 && this.#batch + decisionEvents > this.batchSize;
  }

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
