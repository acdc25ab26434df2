import { AppendRefused, JournalWentBack, WrongExpectedHead, type Journal } from './port.ts';

/** Who has not heard from the journal for this long asks it for its head. */
const PROBE_AFTER_MS = 1_000;
/** A probe that takes longer is no answer, for one who is about to lead. */
const ANSWER_MS = 1_000;
/** One that has said nothing for this long, though it was asked, does not answer. */
const SILENT_MS = 2_000;

/** What hinders one who does not reach the journal, for operators. */
export const JOURNAL_SILENT = 'the journal does not answer';

/** Time as a contact uses it; tests bring their own. */
export interface ContactClock {
  /** In ms; never goes back. */
  monotonic(): number;
  /** Does the work once, that much later. */
  after(ms: number, work: () => void): unknown;
}

const systemClock: ContactClock = { monotonic: () => performance.now(), after: (ms, work) => setTimeout(work, ms) };

/** Whether this process reaches its journal: by the answers to all that is asked of it, and by probes where nothing is. */
export class JournalContact {
  /** The journal itself, listened to. */
  readonly journal: Journal;
  private heardMs = -Infinity;
  private probing: Promise<void> | null = null;

  constructor(
    inner: Journal,
    private readonly clock: ContactClock = systemClock,
  ) {
    this.journal = {
      append: (expected, batch) => this.listenTo(inner.append(expected, batch)),
      close: () => inner.close(),
      // What is followed comes when there is something; its silence says nothing.
      follow: (fromSeq, options) => inner.follow(fromSeq, options),
      head: () => this.listenTo(inner.head()),
      read: (fromSeq, limit) => this.listenTo(inner.read(fromSeq, limit)),
    };
  }

  /** For how long it has said nothing, in ms. */
  get silentMs(): number {
    return this.clock.monotonic() - this.heardMs;
  }

  /** Asks it, where it has said nothing for a second; one question at a time. */
  probe(): void {
    if (this.silentMs < PROBE_AFTER_MS) return;
    this.probing ??= this.journal
      .head()
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => (this.probing = null));
  }

  /** For one who needs it all the time: `JOURNAL_SILENT` where it does not answer, else null. Asks it for the next look. */
  look(): typeof JOURNAL_SILENT | null {
    this.probe();
    return this.silentMs < SILENT_MS ? null : JOURNAL_SILENT;
  }

  /** Whether it answers, within a second. */
  async answers(): Promise<boolean> {
    this.probe();
    if (this.probing !== null) await Promise.race([this.probing, this.pause()]);
    return this.silentMs < PROBE_AFTER_MS;
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => void this.clock.after(ANSWER_MS, resolve));
  }

  private async listenTo<T>(answer: Promise<T>): Promise<T> {
    try {
      const value = await answer;
      this.heardMs = this.clock.monotonic();
      return value;
    } catch (error) {
      const answered =
        error instanceof AppendRefused || error instanceof WrongExpectedHead || error instanceof JournalWentBack;
      if (answered) this.heardMs = this.clock.monotonic();
      throw error;
    }
  }
}
