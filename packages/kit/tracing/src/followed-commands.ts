import type { Tracing } from './tracing.ts';

/** A command whose events were followed. */
export interface FollowedCommand {
  readonly correlationId: string;
  readonly firstSeq: number;
  /** The last sequence of the command's events so far. */
  readonly lastSeq: number;
  /** When the first of them was read, by the monotonic clock in ms. */
  readonly readMs: number;
}

/** Commands that wait for a later part of their way at most; the oldest are dropped. */
const COMMANDS_MAX = 10_000;

/** The commands whose events a follower of the journal has read, by their sequences. Bounded. */
export class FollowedCommands {
  #commands: FollowedCommand[] = [];
  #notedSeq = 0;

  constructor(private readonly tracing: Pick<Tracing, 'follows'>) {}

  /** Notes an event. Events have to come in the order of their sequences; a repeated one is ignored. */
  note(seq: number, correlationId: string): void {
    if (seq <= this.#notedSeq) return;
    this.#notedSeq = seq;
    const last = this.#commands.at(-1);
    if (last?.correlationId === correlationId) {
      this.#commands.splice(-1, 1, { ...last, lastSeq: seq });
      return;
    }
    if (!this.tracing.follows(correlationId)) return;
    this.#commands.push({ correlationId, firstSeq: seq, lastSeq: seq, readMs: performance.now() });
    // Half at a time, so that a command costs the same on average.
    if (this.#commands.length > COMMANDS_MAX) this.#commands = this.#commands.slice(COMMANDS_MAX / 2);
  }

  /** Removes the commands that are complete at this sequence, and returns them. */
  takeUpTo(seq: number): readonly FollowedCommand[] {
    const later = this.#commands.findIndex(({ lastSeq }) => lastSeq > seq);
    return this.#commands.splice(0, later === -1 ? this.#commands.length : later);
  }

  /** The command that has the event of this sequence; null where it is not followed. */
  at(seq: number): FollowedCommand | null {
    // The newest are asked for mostly.
    const found = this.#commands.findLast(({ firstSeq }) => firstSeq <= seq);
    return found !== undefined && found.lastSeq >= seq ? found : null;
  }
}
