import { JournalContact } from '@paper/journal';
import type { NameStore } from '@paper/names';
import type { Lease } from '@paper/runtime';
import { pause } from '@paper/timing';
import { createLeaderHealth } from './leadership/leader-health.ts';
import type { AcceptedClock, LeaderHealth } from './leadership/leader-health.ts';
import { JournalClock } from './leadership/journal-clock.ts';
import { Leadership } from './leadership/leadership.ts';
import { watchJournalThreat } from './leadership/journal-threat.ts';
import { TrustedClock } from './writer/trusted-clock.ts';
import type { ReferenceClock } from './writer/trusted-clock.ts';
import { sweepNames } from './names/sweep.ts';
import { fromFirstEvent } from './writer/load.ts';
import { Writer } from './writer/writer.ts';
import type { WriterOptions } from './writer/writer.ts';

export interface CommandProcessorOptions extends Omit<WriterOptions, 'trustedClock' | 'leads'> {
  /** Elects one of several processes; default: there is only this one. The journal refuses a late leader anyway. */
  readonly lease?: Lease;
  /** The database's clock, which this machine's clock must match. Default: none. */
  readonly databaseClock?: ReferenceClock;
  /**
   * The clock checks before the first decision: against the journal's last event and the database's clock (`off`), the
   * latter only (`journal`, the default), or none (`on`), since an operator has declared the clock right.
   */
  readonly acceptClock?: AcceptedClock;
  readonly names?: NameStore;
}

const CHECK_EVERY_MS = 1_000;

/** Decides commands, without HTTP: the writer with its leadership, and its trusted clock. */
export class CommandProcessor {
  readonly writer: Writer;
  readonly #leadership: Leadership | null;
  readonly #health: LeaderHealth;
  /** The wall clock, which must match the database's and not jump. */
  readonly trustedClock: TrustedClock;
  readonly contact: JournalContact;
  #stopWatchingJournal = (): void => undefined;
  #stopped = false;
  #unhealthyReason: string | null = null;

  constructor(private readonly options: CommandProcessorOptions) {
    const { loadFrom = fromFirstEvent, clock, databaseClock: reference, lease, observer } = options;
    this.contact = new JournalContact(options.journal, clock);
    const { journal } = this.contact;
    this.trustedClock = new TrustedClock({ clock, observer, reference });
    const journalClock = new JournalClock({ clock, journal, observer });
    const accepted = options.acceptClock ?? 'journal';
    const health = (this.#health = createLeaderHealth(this.trustedClock, this.contact, journalClock, accepted));
    const onLost = (error: Error): void => this.writer.fence(error);
    this.#leadership =
      lease === undefined ? null : new Leadership({ loadFrom, clock, health, journal, lease, observer, onLost });
    this.writer = new Writer({
      ...options,
      trustedClock: this.trustedClock,
      journal,
      ...(this.#leadership === null ? {} : { loadFrom: this.#leadership.loadFrom, leads: this.#leadership.leads }),
    });
  }

  /**
   * Waits until this process leads (without a lease: until it is healthy); then begins the epoch and serves.
   * @throws when it cannot fold the journal, is fenced, or is stopped before it serves.
   */
  async start(): Promise<void> {
    this.trustedClock.watch();
    const { clock, journal } = this.options;
    this.#stopWatchingJournal = watchJournalThreat(journal, clock, this.options.observer);
    await (this.#leadership?.turn() ?? this.#untilHealthy());
    const { names, observer } = this.options;
    const swept = names === undefined ? null : await sweepNames(names, observer);
    await this.writer.start();
    if (this.writer.state !== null) void swept?.(this.writer.state);
  }

  /** Finishes queued commands for `longestMs` at most, answers the rest as unavailable, and gives up the lease. */
  async stop(longestMs: number): Promise<void> {
    this.#stopped = true;
    this.#leadership?.stopWaiting();
    await this.writer.stop(longestMs);
    await this.#leadership?.end();
    this.trustedClock.stop();
    this.#stopWatchingJournal();
  }

  describe(): string {
    const { distrustReason } = this.trustedClock;
    if (this.writer.taking && distrustReason !== null) return distrustReason;
    return this.#leadership?.describe() ?? this.#unhealthyReason ?? distrustReason ?? 'it takes no commands now';
  }

  /** The sequence that the standby's state has reached; 0 when there is no standby. */
  get standbySeq(): number {
    return this.#leadership?.standbySeq ?? 0;
  }

  async #untilHealthy(): Promise<void> {
    const { clock, observer } = this.options;
    for (;;) {
      const before = this.#unhealthyReason;
      this.#unhealthyReason = await this.#health.check();
      if (this.#unhealthyReason === null) return;
      if (this.#stopped) throw new Error('it was stopped before it served');
      if (before === null) observer.alarm('cannot start yet; retrying', new Error(this.#unhealthyReason));
      await pause(CHECK_EVERY_MS, { clock });
    }
  }
}
