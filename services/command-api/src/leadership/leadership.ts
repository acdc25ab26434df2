import type { Lease, Tenure } from '@paper/service-kit';
import type { Beginning } from '../writer/load.ts';
import type { Memory } from '../writer/memory.ts';
import { standBy, type StandbyOptions } from './standby.ts';

export interface LeadershipOptions extends Omit<StandbyOptions, 'onProgress'> {
  readonly lease: Lease;
  /** Another has had the lease: this process must decide nothing any more. */
  readonly onLost: (error: Error) => void;
}

/**
 * Whether this process is the one that decides, of several that could. Its life:
 *
 *     standby → leading ⇄ silent → lost
 *
 * It stands by with a memory that follows the journal, and wants the lease only once that has come to the journal's end:
 * one that cannot fold the journal, or has long to read, is not elected. It leads while the lease is renewed; it is
 * silent while it could not be renewed for 2 s and nobody else has taken it. The lease elects and does not fence: what
 * holds against a leader that is late is the journal's expected head, and the new leader's epoch in it.
 */
export class Leadership {
  private readonly stopping = new AbortController();
  private tenure: Tenure | null = null;
  private memory: Memory | null = null;
  private seq: number | null = null;

  constructor(private readonly options: LeadershipOptions) {}

  /** Whether the lease is this process's now. */
  readonly leads = (): boolean => this.tenure?.held() ?? false;

  /** The memory of the standby, for the one who takes over with it; later folds begin as they do without. */
  readonly begin: Beginning = () => {
    const { memory } = this;
    this.memory = null;
    return memory === null ? this.options.begin() : Promise.resolve(memory);
  };

  /**
   * Stands by until it is this process's turn to lead.
   *
   * @throws JournalUnreadable; Error when it is ended before.
   */
  async turn(): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, over.signal]);
    let becomeWarm: () => void = () => undefined;
    const warm = new Promise<void>((resolve) => (becomeWarm = resolve));
    const onProgress = (seq: number): void => {
      this.seq = seq;
      becomeWarm();
    };
    const following = standBy({ ...this.options, onProgress }, signal).finally(() => over.abort());
    await Promise.race([warm, following]);
    this.tenure = await this.options.lease.acquire(signal);
    over.abort();
    try {
      this.memory = await following;
    } catch (error) {
      await this.tenure?.release();
      throw error;
    }
    if (this.tenure === null) throw new Error('it was ended before it was its turn to lead');
    const { lost } = this.tenure;
    lost.addEventListener('abort', () => this.options.onLost(lost.reason as Error));
  }

  /** Waits no more. What leads goes on leading until `end`. */
  stopWaiting(): void {
    this.stopping.abort();
  }

  /** Gives the lease up, so that a standby takes over at once: when nothing more will be appended. */
  async end(): Promise<void> {
    this.stopWaiting();
    await this.tenure?.release();
  }

  /** Why nothing is answered here, for operators. */
  describe(): string {
    if (this.tenure !== null) {
      return this.tenure.held() ? 'taking over' : 'the lease was not renewed in time; it is not counted on until it is';
    }
    if (this.seq === null) return 'standby: reading the journal';
    const leader = this.options.lease.seenAt();
    return `standby at sequence ${this.seq}${leader === null ? '' : `: ${leader} leads`}`;
  }

  /** How far the standby's memory is; 0 before it has one. */
  get standbySeq(): number {
    return this.seq ?? 0;
  }
}
