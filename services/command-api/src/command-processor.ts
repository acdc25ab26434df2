import { JournalContact } from '@paper/journal';
import type { Lease } from '@paper/service-kit';
import { createFitness, type AcceptedClock, type Fitness } from './leadership/fitness.ts';
import { JournalClock } from './leadership/journal-clock.ts';
import { Leadership } from './leadership/leadership.ts';
import type { Ask, Decided } from './writer/ask.ts';
import { CheckedClock, type Witness } from './writer/checked-clock.ts';
import { ClosingClock } from './writer/closing.ts';
import type { NameStore } from './names/name-store.ts';
import { sweepNames } from './names/sweep.ts';
import { fromNothing } from './writer/load.ts';
import { Writer, type WriterOptions } from './writer/writer.ts';

export interface CommandProcessorOptions extends Omit<WriterOptions, 'checkedClock' | 'leads'> {
  /** Elects one of several processes; default: this is the only one. The journal fences in any case. */
  readonly lease?: Lease;
  /** The database's clock, which this machine's has to agree with; default: there is none to compare with. */
  readonly databaseClock?: Witness;
  /**
   * `off`: the clock has to fit the journal's last event and the database's clock before anything is decided. `journal`:
   * the database's alone. `on`: it is right, as an operator says. Default `journal`.
   */
  readonly acceptClock?: AcceptedClock;
  /** Where display names are kept; default: nowhere, and none is swept. */
  readonly names?: NameStore;
}

const LOOK_EVERY_MS = 1_000;

/** Who decides, with all that it takes and without HTTP: the writer, its turn to lead, its clock, and the closing clock. */
export class CommandProcessor {
  readonly writer: Writer;
  private readonly leadership: Leadership | null;
  private readonly fitness: Fitness;
  private readonly checkedClock: CheckedClock;
  private readonly closing: ClosingClock;
  private stopped = false;
  private hindrance: string | null = null;

  constructor(private readonly options: CommandProcessorOptions) {
    const { begin = fromNothing, clock, databaseClock: witness, ids, lease, observer } = options;
    const contact = new JournalContact(options.journal, clock);
    const { journal } = contact;
    const checkedClock = (this.checkedClock = new CheckedClock({ clock, observer, witness }));
    const journalClock = new JournalClock({ clock, journal, observer });
    const accepted = options.acceptClock ?? 'journal';
    const fitness = (this.fitness = createFitness(checkedClock, contact, journalClock, accepted));
    const onLost = (error: Error): void => this.writer.fence(error);
    this.leadership =
      lease === undefined ? null : new Leadership({ begin, clock, fitness, journal, lease, observer, onLost });
    this.writer = new Writer({
      ...options,
      checkedClock,
      journal,
      ...(this.leadership === null ? {} : { begin: this.leadership.begin, leads: this.leadership.leads }),
    });
    this.closing = new ClosingClock(this.writer, clock, observer, ids);
  }

  /**
   * Waits for its turn where there is a lease, else until nothing hinders it to decide; then begins the epoch and serves.
   *
   * @throws where it cannot fold the journal, is fenced while it takes over, or is stopped before it serves.
   */
  async start(): Promise<void> {
    this.checkedClock.watch();
    await (this.leadership?.turn() ?? this.becomeFit());
    const { names, observer } = this.options;
    const swept = names === undefined ? null : await sweepNames(names, observer);
    await this.writer.start();
    if (this.writer.state !== null) void swept?.(this.writer.state);
    this.closing.arm();
  }

  /** Finishes what is queued, for that long at most, answers the rest 503, gives up the lease. */
  async stop(longestMs: number): Promise<void> {
    this.stopped = true;
    this.closing.stop();
    this.leadership?.stopWaiting();
    await this.writer.stop(longestMs);
    await this.leadership?.end();
    this.checkedClock.stop();
  }

  /** As `Writer.submit`. */
  async submit<T>(ask: Ask<T>): Promise<Decided<T>> {
    const decided = await this.writer.submit(ask);
    // Only operators list, amend and activate markets, and so change which one closes next.
    if (ask.lane.kind === 'operator') this.closing.arm();
    return decided;
  }

  /** Why nothing is decided here, for operators. */
  describe(): string {
    const { doubted } = this.checkedClock;
    if (this.writer.taking && doubted !== null) return doubted;
    return this.leadership?.describe() ?? this.hindrance ?? doubted ?? 'it takes no commands now';
  }

  /** How far the standby's memory is; 0 where there is none. */
  get standbySeq(): number {
    return this.leadership?.standbySeq ?? 0;
  }

  private async becomeFit(): Promise<void> {
    const { clock, observer } = this.options;
    for (;;) {
      const before = this.hindrance;
      this.hindrance = await this.fitness.check();
      if (this.hindrance === null) return;
      if (this.stopped) throw new Error('it was stopped before it served');
      if (before === null) observer.alarm('it cannot begin; it is tried on', new Error(this.hindrance));
      await new Promise<void>((resume) => void clock.after(LOOK_EVERY_MS, resume));
    }
  }
}
