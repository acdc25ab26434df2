import type { Command } from '@paper/exchange';
import type { Outcome, Ticket } from './ask.ts';

/** An operator who waits for the end of a run, with what was decided of the command that began or found it. */
export interface RunWaiter {
  readonly ticket: Ticket;
  readonly outcome: Outcome;
}

/** The market whose run this command can begin, continue, end, or find under way. */
export function runMarket(command: Command): string | null {
  switch (command.type) {
    case 'CloseMarket':
    case 'ResolveMarket':
    case 'VoidMarket':
    case 'ContinueRun':
      return command.marketId;
    default:
      return null;
  }
}

interface Run {
  /** Its next piece is in the queue: there is one at most, so that runs and accounts take turns. */
  queued: boolean;
  /** A piece of it failed by itself. It is left alone until the next start. */
  stuck: boolean;
  readonly waiters: RunWaiter[];
}

/** The runs of markets that are under way, and who is answered at their end. */
export class Runs {
  private readonly runs = new Map<string, Run>();

  /** Whether nothing is left to do (a stuck run is not waited for). */
  get none(): boolean {
    for (const run of this.runs.values()) if (!run.stuck) return false;
    return true;
  }

  private run(marketId: string): Run {
    let run = this.runs.get(marketId);
    if (run === undefined) {
      run = { queued: false, stuck: false, waiters: [] };
      this.runs.set(marketId, run);
    }
    return run;
  }

  /** True where the caller has to queue the run's next piece now. */
  claimNext(marketId: string): boolean {
    const run = this.run(marketId);
    if (run.queued || run.stuck) return false;
    run.queued = true;
    return true;
  }

  /** The piece that was queued is being decided. */
  releaseNext(marketId: string): void {
    const run = this.runs.get(marketId);
    if (run !== undefined) run.queued = false;
  }

  isStuck(marketId: string): boolean {
    return this.runs.get(marketId)?.stuck === true;
  }

  wait(marketId: string, waiter: RunWaiter): void {
    this.run(marketId).waiters.push(waiter);
  }

  waitersOf(marketId: string): readonly RunWaiter[] {
    return this.runs.get(marketId)?.waiters ?? [];
  }

  /** The run is over; gives who waited. */
  end(marketId: string): readonly RunWaiter[] {
    const waiters = this.waitersOf(marketId);
    this.runs.delete(marketId);
    return waiters;
  }

  /** A piece failed by itself; gives who waited in vain. */
  getStuck(marketId: string): readonly RunWaiter[] {
    const run = this.run(marketId);
    run.stuck = true;
    return run.waiters.splice(0);
  }

  /** The memory is dropped: everyone who waits is asked again, and what is under way is read from the new state. */
  takeWaiters(): readonly Ticket[] {
    return [...this.runs.values()].flatMap((run) => run.waiters.splice(0).map((waiter) => waiter.ticket));
  }

  /** Forgets runs that the new state does not know, once nobody waits for them. */
  keepOnly(pending: readonly string[]): void {
    const known = new Set(pending);
    for (const marketId of [...this.runs.keys()]) if (!known.has(marketId)) this.runs.delete(marketId);
  }
}
