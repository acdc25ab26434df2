import { Refused } from '@paper/contracts';
import type { Decision, State } from '@paper/exchange';
import type { Untimed } from '@paper/exchange/commands';
import { PendingCommand } from './pending-command.ts';
import type { CommandLane, CommandResult, PendingRequest } from './pending-command.ts';

/** Commands that are decided one after the other, with no other command of the same fleet between two of them. */
export interface Sequence<T> {
  /** The next command, made when its turn comes; null when none is left. There must be at least one command. */
  readonly next: (state: State) => Untimed | null;
  /**
   * The commands that are not replays: the fleet's day limit must have room for all of them before the first is
   * decided. Default: none of them is limited.
   */
  readonly limited?: (state: State) => readonly Untimed[];
  /** Makes the answer, as for a single command. */
  readonly answer: (decision: Decision, state: State) => T;
}

/** The result of one command of a sequence. */
export type ItemResult<T> = CommandResult<T> | Refused;

/**
 * A sequence that waits for its answer, which comes when each of its commands is answered. A refusal is the result of
 * its own command; any other error fails the whole sequence.
 */
export class PendingSequence implements PendingRequest {
  deadlineMs = Infinity;
  /** The time at which the sequence was queued, by the clock of traces; null when nothing is traced. */
  queuedMs: number | null = null;
  readonly #results: ItemResult<unknown>[] = [];
  readonly #commands: PendingCommand[] = [];
  #answers = 0;
  #isComplete = false;
  #settled = false;

  constructor(
    readonly lane: CommandLane,
    private readonly sequence: Sequence<unknown>,
    /** Called after each answer but the last. */
    private readonly onProgress: () => void,
    private readonly onResolve: (results: readonly ItemResult<unknown>[]) => void,
    private readonly onReject: (error: Error) => void,
  ) {}

  get answered(): boolean {
    return this.#settled;
  }

  /**
   * The commands that the fleet's day limit must have room for now: the whole sequence before its first command, then
   * none.
   */
  limited(state: State): readonly Untimed[] {
    return this.#commands.length > 0 ? [] : (this.sequence.limited?.(state) ?? []);
  }

  /** The next command of the sequence; null when there is none left. */
  next(state: State): PendingCommand | null {
    const command = this.sequence.next(state);
    if (command === null) {
      this.#isComplete = true;
      this.#check();
      return null;
    }
    const index = this.#commands.length;
    const keep = (result: ItemResult<unknown>): void => {
      this.#results[index] = result;
      this.#answers += 1;
      this.#check();
    };
    const pending = new PendingCommand(this.lane, command, this.sequence.answer, false, keep, (error) => {
      if (error instanceof Refused) keep(error);
      else this.reject(error);
    });
    pending.queuedMs = this.queuedMs;
    this.#commands.push(pending);
    return pending;
  }

  reject(error: Error): void {
    if (this.#settled) return;
    this.#settled = true;
    // A request that is already answered needs no further decision.
    for (const command of this.#commands) command.reject(error);
    this.onReject(error);
  }

  #check(): void {
    if (this.#settled) return;
    if (!this.#isComplete || this.#answers < this.#commands.length) {
      this.onProgress();
      return;
    }
    this.#settled = true;
    this.onResolve(this.#results);
  }
}
