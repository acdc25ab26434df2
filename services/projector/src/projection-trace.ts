import { observeFollow } from '@paper/journal';
import type { Journal } from '@paper/journal';
import type { PulseChannel } from '@paper/pulse';
import { FollowedCommands } from '@paper/tracing';
import type { FollowedCommand, Tracing } from '@paper/tracing';

/** The most projected commands that wait for the next snapshot of the markets; beyond it the oldest are dropped. */
const UNPUBLISHED_MAX = 10_000;

/** Records the projector's part of the traces of commands: their projection, and the pulse that first shows them. */
export class ProjectionTrace {
  readonly #read: FollowedCommands;
  #unpublished: FollowedCommand[] = [];

  constructor(private readonly tracing: Tracing) {
    this.#read = new FollowedCommands(tracing);
  }

  observeJournal(journal: Journal): Journal {
    return observeFollow(journal, (seq, correlationId) => this.#read.note(seq, correlationId));
  }

  /** Records that the transaction with all events up to this sequence was just committed. */
  projected(seq: number): void {
    const endMs = performance.now();
    const commands = this.#read.takeUpTo(seq);
    for (const { correlationId, lastSeq, readMs } of commands) {
      const attributes = { 'paper.seq': lastSeq, 'paper.projection.seq': seq };
      this.tracing.record({ name: 'project', correlationId, startMs: readMs, endMs, attributes });
    }
    this.#unpublished = [...this.#unpublished, ...commands].slice(-UNPUBLISHED_MAX);
  }

  observePulses(channel: PulseChannel): PulseChannel {
    return {
      close: () => channel.close(),
      subscribe: (handler) => channel.subscribe(handler),
      publish: async (message) => {
        const startMs = performance.now();
        await channel.publish(message);
        this.#published(message.seq, startMs);
      },
    };
  }

  #published(seq: number, startMs: number): void {
    const endMs = performance.now();
    const attributes = { 'paper.pulse.seq': seq };
    const isShown = ({ lastSeq }: FollowedCommand): boolean => lastSeq <= seq;
    for (const { correlationId } of this.#unpublished.filter(isShown)) {
      this.tracing.record({ name: 'publish', correlationId, startMs, endMs, attributes });
    }
    this.#unpublished = this.#unpublished.filter((command) => !isShown(command));
  }
}
