import type { Decision } from '@paper/exchange';
import type { PendingCommand } from './pending-command.ts';

/** A command that waits for the end of a run, with its own decision, which began or found the run. */
export interface RunWaiter {
  readonly pending: PendingCommand;
  readonly decision: Decision;
}

interface Run {
  /** Whether the run's next piece is queued. At most one is, so that runs and accounts take turns. */
  queued: boolean;
  /** Whether a piece of the run failed. The run then rests until the next start of the writer. */
  stuck: boolean;
  readonly waiters: RunWaiter[];
}

/** The runs of markets that are under way, and the commands that are answered at their end. */
export class Runs {
  readonly #runs = new Map<string, Run>();

  /** Whether no run is left to continue; stuck runs do not count. */
  get none(): boolean {
    for (const run of this.#runs.values()) if (!run.stuck) return false;
    return true;
  }

  #run(marketId: string): Run {
    let run = this.#runs.get(marketId);
    if (run === undefined) {
      run = { queued: false, stuck: false, waiters: [] };
      this.#runs.set(marketId, run);
    }
    return run;
  }

  /** Claims the run's next piece. Returns true where the caller has to queue the piece now. */
  claimNext(marketId: string): boolean {
    const run = this.#run(marketId);
    if (run.queued || run.stuck) return false;
    run.queued = true;
    return true;
  }

  /** Marks the queued piece as being decided, so that the next one may be queued. */
  releaseNext(marketId: string): void {
    const run = this.#runs.get(marketId);
    if (run !== undefined) run.queued = false;
  }

  isStuck(marketId: string): boolean {
    return this.#runs.get(marketId)?.stuck === true;
  }

  wait(marketId: string, waiter: RunWaiter): void {
    this.#run(marketId).waiters.push(waiter);
  }

  waitersOf(marketId: string): readonly RunWaiter[] {
    return this.#runs.get(marketId)?.waiters ?? [];
  }

  /** Ends the run and returns the commands that wait for its end. */
  end(marketId: string): readonly RunWaiter[] {
    const waiters = this.waitersOf(marketId);
    this.#runs.delete(marketId);
    return waiters;
  }

  /** Marks the run as stuck after a piece failed, and returns the commands that wait for its end. */
  getStuck(marketId: string): readonly RunWaiter[] {
    const run = this.#run(marketId);
    run.stuck = true;
    return run.waiters.splice(0);
  }

  /** Takes all waiters, because the state is dropped: their commands are decided again on the reloaded state. */
  takeWaiters(): readonly PendingCommand[] {
    return [...this.#runs.values()].flatMap((run) => run.waiters.splice(0).map((waiter) => waiter.pending));
  }

  /** Drops the runs that are not pending in the reloaded state. */
  retain(pending: readonly string[]): void {
    const stillPending = new Set(pending);
    for (const marketId of [...this.#runs.keys()]) if (!stillPending.has(marketId)) this.#runs.delete(marketId);
  }
}
