import { pause, systemClock } from '@paper/timing';
import type { Clock } from '@paper/timing';
import { AppendRefused, forwardTo, JournalWentBack, WrongExpectedHead } from './port.ts';
import type { Journal } from './port.ts';

/** When the journal has not answered for this long, its head is requested as a probe. */
const PROBE_AFTER_MS = 1_000;
/** The time limit of a probe for a process that is about to lead, and for a check of readiness. */
const ANSWER_MS = 750;
/** The journal counts as silent when it has not answered for this long, although it was probed. */
const SILENT_MS = 2_000;

/** The unhealthy reason of a process that cannot reach the journal, for operators. */
export const JOURNAL_SILENT = 'the journal does not answer';

/** Tracks whether this process reaches its journal: by the answers to all calls, and by probes between calls. */
export class JournalContact {
  readonly journal: Journal;
  #heardMs = -Infinity;
  #probing: Promise<void> | null = null;

  constructor(
    inner: Journal,
    private readonly clock: Pick<Clock, 'after' | 'monotonic'> = systemClock,
  ) {
    // A subscription is quiet while nothing is appended, so the silence of `follow` proves nothing about the journal.
    this.journal = {
      ...forwardTo(inner),
      append: (expected, batch) => this.#listenTo(inner.append(expected, batch)),
      head: () => this.#listenTo(inner.head()),
      read: (fromSeq, limit) => this.#listenTo(inner.read(fromSeq, limit)),
    };
  }

  get silentMs(): number {
    return this.clock.monotonic() - this.#heardMs;
  }

  /** Requests the head when the journal has not answered for a second; one probe at a time. */
  probe(): void {
    if (this.silentMs < PROBE_AFTER_MS) return;
    this.#probing ??= this.journal
      .head()
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => (this.#probing = null));
  }

  /** `JOURNAL_SILENT` if the journal does not answer, else null. Starts a probe for the next call. */
  unhealthyReason(): typeof JOURNAL_SILENT | null {
    this.probe();
    return this.silentMs < SILENT_MS ? null : JOURNAL_SILENT;
  }

  /** Whether the journal answered within the last second, or answers a probe within a second. */
  async answers(): Promise<boolean> {
    this.probe();
    if (this.#probing !== null) await Promise.race([this.#probing, pause(ANSWER_MS, { clock: this.clock })]);
    return this.silentMs < PROBE_AFTER_MS;
  }

  /** The fault of the journal that blocks commands, with its remedy, for operators; null without a fault. */
  async problem(): Promise<string | null> {
    const threat = this.journal.threat?.() ?? null;
    if (threat !== null) return threat;
    if (await this.answers()) return null;
    return `${JOURNAL_SILENT}: bring its server back; nothing that was answered is lost`;
  }

  async #listenTo<T>(answer: Promise<T>): Promise<T> {
    try {
      const value = await answer;
      this.#heardMs = this.clock.monotonic();
      return value;
    } catch (error) {
      const answered =
        error instanceof AppendRefused || error instanceof WrongExpectedHead || error instanceof JournalWentBack;
      if (answered) this.#heardMs = this.clock.monotonic();
      throw error;
    }
  }
}
