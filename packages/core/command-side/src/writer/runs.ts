import type { Decision } from '@paper/exchange';
import type { PendingCommand } from './pending-command.ts';

/** A command that waits for the end of a run, with the decision that began the run or found it under way. */
export interface RunWaiter {
  readonly pending: PendingCommand;
  readonly decision: Decision;
}

interface Run {
  /** Whether the run's next piece is queued. At most one piece is, so that runs and accounts take turns. */
  queued: boolean;
  /** Whether a piece of the run failed. The run then rests until the next start of the writer. */
  stuck: boolean;
  readonly waiters: RunWaiter[];
}

/** The ends of markets and closings of accounts that are under way (runs), and the commands that wait for them. */
export class Runs {
  readonly #runs = new Map<string, Run>();

  get none(): boolean {
    for (const run of this.#runs.values()) if (!run.stuck) return false;
    return true;
  }

  #run(name: string): Run {
    let run = this.#runs.get(name);
    if (run === undefined) {
      run = { queued: false, stuck: false, waiters: [] };
      this.#runs.set(name, run);
    }
    return run;
  }

  /** Claims the run's next piece. Returns true when the caller must queue the piece now. */
  claimNext(name: string): boolean {
    const run = this.#run(name);
    if (run.queued || run.stuck) return false;
    run.queued = true;
    return true;
  }

  /** Marks the queued piece as being decided, so that the next one may be queued. */
  releaseNext(name: string): void {
    const run = this.#runs.get(name);
    if (run !== undefined) run.queued = false;
  }

  isStuck(name: string): boolean {
    return this.#runs.get(name)?.stuck === true;
  }

  wait(name: string, waiter: RunWaiter): void {
    this.#run(name).waiters.push(waiter);
  }

  waitersOf(name: string): readonly RunWaiter[] {
    return this.#runs.get(name)?.waiters ?? [];
  }

  end(name: string): readonly RunWaiter[] {
    const waiters = this.waitersOf(name);
    this.#runs.delete(name);
    return waiters;
  }

  /** Marks the run as stuck after a piece failed, and returns the commands that wait for its end. */
  markStuck(name: string): readonly RunWaiter[] {
    const run = this.#run(name);
    run.stuck = true;
    return run.waiters.splice(0);
  }

  /** Takes all waiters because the state is dropped: their commands are decided again on the reloaded state. */
  takeWaiters(): readonly PendingCommand[] {
    return [...this.#runs.values()].flatMap((run) => run.waiters.splice(0).map((waiter) => waiter.pending));
  }

  retain(pending: readonly string[]): void {
    const stillPending = new Set(pending);
    for (const name of [...this.#runs.keys()]) if (!stillPending.has(name)) this.#runs.delete(name);
  }
}
