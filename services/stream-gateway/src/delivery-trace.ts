import { correlationIdIn } from '@paper/journal';
import type { StoredEvent } from '@paper/journal';
import { FollowedCommands } from '@paper/tracing';
import type { Tracing } from '@paper/tracing';

/** Records the last part of the traces of commands: the delivery of their events to open streams. */
export class DeliveryTrace {
  readonly #read: FollowedCommands;

  constructor(private readonly tracing: Tracing) {
    this.#read = new FollowedCommands(tracing);
  }

  now(): number {
    return performance.now();
  }

  note(page: readonly StoredEvent[]): void {
    for (const stored of page) {
      const correlationId = correlationIdIn(stored);
      if (correlationId !== null) this.#read.note(stored.seq, correlationId);
    }
  }

  /** Records that the events of these sequences were just written to streams. `startMs`: when their reading began. */
  sent(stream: 'account' | 'orderbook', seqs: Iterable<number>, startMs: number): void {
    const endMs = this.now();
    const recorded = new Set<string>();
    for (const seq of seqs) {
      const correlationId = this.#read.at(seq)?.correlationId;
      if (correlationId === undefined || recorded.has(correlationId)) continue;
      recorded.add(correlationId);
      const attributes = { 'paper.seq': seq, 'paper.stream': stream };
      this.tracing.record({ name: 'stream', correlationId, startMs, endMs, attributes });
    }
  }
}
