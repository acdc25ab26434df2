import { Refused } from '@paper/contracts';
import type { State } from '@paper/exchange';
import type { Untimed } from '@paper/exchange/commands';
import { PendingCommand } from './pending-command.ts';
import type { CommandLane, CommandResult, MakeAnswer, PendingRequest } from './pending-command.ts';

/** Commands that are decided one after the other, with no other command of the same fleet between two of them. */
export interface Sequence<T> {
  /** The next command, made when its turn comes; null when none is left. There must be at least one command. */
  readonly next: (state: State) => Untimed | null;
  /** The commands that are not replays. The fleet's day limit refuses all of them, or none. */
  readonly limited?: (state: State) => readonly Untimed[];
  readonly answer: MakeAnswer<T>;
}

export type ItemResult<T> = CommandResult<T> | Refused;

/** A sequence until each of its commands is answered. A refusal is one command's result; other errors fail it whole. */
export class PendingSequence implements PendingRequest {
  deadlineMs = Infinity;
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

  /** The commands that the day limit judges now: those of the whole sequence before its first, then none. */
  limited(state: State): readonly Untimed[] {
    return this.#commands.length > 0 ? [] : (this.sequence.limited?.(state) ?? []);
  }

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
