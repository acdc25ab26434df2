import type { Tracing } from './tracing.ts';

export interface FollowedCommand {
  readonly correlationId: string;
  readonly firstSeq: number;
  /** The last sequence of the command's events so far. */
  readonly lastSeq: number;
  /** The time at which the first of them was read, by the monotonic clock in ms. */
  readonly readMs: number;
}

const COMMANDS_MAX = 10_000;

export class FollowedCommands {
  #commands: FollowedCommand[] = [];
  #notedSeq = 0;

  constructor(private readonly tracing: Pick<Tracing, 'follows'>) {}

  /** Records an event. Events must come in the order of their sequences; a repeated one is ignored. */
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
    // Drops half at a time, so that the average cost of a command stays constant.
    if (this.#commands.length > COMMANDS_MAX) this.#commands = this.#commands.slice(COMMANDS_MAX / 2);
  }

  takeUpTo(seq: number): readonly FollowedCommand[] {
    const later = this.#commands.findIndex(({ lastSeq }) => lastSeq > seq);
    return this.#commands.splice(0, later === -1 ? this.#commands.length : later);
  }

  /** The command that produced the event with this sequence; null if it is not followed. */
  at(seq: number): FollowedCommand | null {
    // Mostly the newest commands are asked for, so the search begins at the end.
    const found = this.#commands.findLast(({ firstSeq }) => firstSeq <= seq);
    return found !== undefined && found.lastSeq >= seq ? found : null;
  }
}
