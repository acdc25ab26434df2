import { stepDownWhenUnhealthy } from '@paper/runtime';
import type { Lease, Tenure } from '@paper/runtime';
import type { StartPoint } from '../writer/load.ts';
import type { FoldedState } from '../writer/fold.ts';
import type { LeaderHealth } from './leader-health.ts';
import { standBy } from './standby.ts';
import type { StandbyOptions } from './standby.ts';

export const STEPS_DOWN = 'stepping down: another process is healthy, so this one lets the lease expire';

export interface LeadershipOptions extends Omit<StandbyOptions, 'onProgress'> {
  readonly lease: Lease;
  readonly health: LeaderHealth;
  /** Called when another process has held the lease: from now on this process must decide nothing. */
  readonly onLost: (error: Error) => void;
}

/**
 * Decides which one of several processes is the writer. The states:
 *     standby → leading ⇄ silent → lost
 * - Standby: the process's state follows the journal. The process asks for the lease only once its state has reached
 *   the journal's end, and while it is healthy. So a process that cannot fold the journal, still has much to read, or
 *   has no trusted clock is not elected.
 * - Leading: the lease is renewed. A leader that is unhealthy for some seconds steps down if another process is
 *   healthy, and that process takes over. If no other process is healthy, the leader keeps the lease.
 * - Silent: the lease could not be renewed for 2 s, and no other process has taken it.
 * The lease elects but does not fence. A late leader is fenced by the journal: by its expected head, and by the new
 * leader's epoch.
 */
export class Leadership {
  readonly #stopping = new AbortController();
  #tenure: Tenure | null = null;
  #folded: FoldedState | null = null;
  #seq: number | null = null;
  #unhealthyReason: string | null = null;
  #stopWatching: () => void = () => undefined;

  constructor(private readonly options: LeadershipOptions) {}

  readonly leads = (): boolean => this.#tenure?.held() ?? false;

  /** Gives the standby's state to its first caller, the writer that takes over; later the configured start point. */
  readonly loadFrom: StartPoint = () => {
    const folded = this.#folded;
    this.#folded = null;
    return folded === null ? this.options.loadFrom() : Promise.resolve(folded);
  };

  /** Stands by until this process leads. @throws JournalUnreadable; Error when it is stopped before. */
  async turn(): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, over.signal]);
    let becomeWarm: () => void = () => undefined;
    const warm = new Promise<void>((resolve) => (becomeWarm = resolve));
    const onProgress = (seq: number): void => {
      this.#seq = seq;
      becomeWarm();
    };
    const following = standBy({ ...this.options, onProgress }, signal).finally(() => over.abort());
    await Promise.race([warm, following]);
    this.#tenure = await this.options.lease.acquire(signal, this.#isHealthy);
    over.abort();
    try {
      this.#folded = await following;
    } catch (error) {
      await this.#tenure?.release();
      throw error;
    }
    if (this.#tenure === null) throw new Error('it was ended before it was its turn to lead');
    const { lost } = this.#tenure;
    lost.addEventListener('abort', () => {
      this.#stopWatching();
      this.options.onLost(lost.reason as Error);
    });
    this.#watch(this.#tenure);
  }

  stopWaiting(): void {
    this.#stopping.abort();
  }

  /** Gives the lease up, so that a standby takes over at once. Call this only when nothing more will be appended. */
  async end(): Promise<void> {
    this.stopWaiting();
    this.#stopWatching();
    await this.#tenure?.release();
  }

  describe(): string {
    const tenure = this.#tenure;
    const unhealthyReason = this.#unhealthyReason;
    const seq = this.#seq;
    if (tenure !== null) {
      if (unhealthyReason !== null) return unhealthyReason;
      return tenure.held()
        ? 'taking over'
        : 'the lease was not renewed in time; this process does not lead until it is';
    }
    if (seq === null) return 'standby: reading the journal';
    const leader = this.options.lease.seenAt();
    if (leader !== null) return `standby at sequence ${seq}: ${leader} leads`;
    return `standby at sequence ${seq}${unhealthyReason === null ? '' : `, and cannot lead: ${unhealthyReason}`}`;
  }

  get standbySeq(): number {
    return this.#seq ?? 0;
  }

  readonly #isHealthy = async (): Promise<boolean> => {
    this.#notice(await this.options.health.check());
    return this.#unhealthyReason === null;
  };

  #watch(tenure: Tenure): void {
    const { clock, health, observer } = this.options;
    this.#stopWatching = stepDownWhenUnhealthy({
      tenure,
      clock,
      unhealthyReason: () => {
        this.#notice(health.unhealthyReason());
        return this.#unhealthyReason;
      },
      onStepDown: (unhealthyReason) => observer.alarm(STEPS_DOWN, new Error(unhealthyReason)),
    });
  }

  #notice(unhealthyReason: string | null): void {
    if (unhealthyReason !== null && this.#unhealthyReason === null) {
      this.options.observer.noted('this process is unhealthy and cannot decide', { reason: unhealthyReason });
    }
    this.#unhealthyReason = unhealthyReason;
  }
}
