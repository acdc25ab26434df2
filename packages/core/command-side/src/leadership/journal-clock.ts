import { iso } from '@paper/contracts/units';
import { decodeEvent } from '@paper/journal';
import type { Journal } from '@paper/journal';
import type { Clock } from '@paper/timing';
import type { WriterObserver } from '../writer/observer.ts';

/** How far the clock may be behind the last event: event times would stand still until it has caught up. */
const BEHIND_MS_MAX = 60_000;
/** How far the clock may be ahead of the last event: a clock that is a year ahead would close markets. */
const AHEAD_MS_MAX = 400 * 24 * 3_600_000;
const PAUSE_MS = 24 * 3_600_000;

export interface JournalClockOptions {
  readonly journal: Pick<Journal, 'head' | 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly observer: Pick<WriterObserver, 'noted'>;
}

/** Compares the wall clock with the journal's last event, before a writer begins to decide. */
export class JournalClock {
  #hasLogged = false;

  constructor(private readonly options: JournalClockOptions) {}

  /** How the wall clock disagrees with the journal, or why the journal cannot be read; null if they agree. */
  async disagreement(): Promise<string | null> {
    try {
      return await this.#compare();
    } catch (error) {
      return `the journal's last event cannot be read, which the wall clock is compared with: ${String(error)}`;
    }
  }

  async #compare(): Promise<string | null> {
    const { clock, journal, observer } = this.options;
    const { seq } = await journal.head();
    if (seq === 0) return null;
    const [last] = await journal.read(seq, 1);
    if (last === undefined) throw new Error(`it has no event ${seq}`);
    const { at } = decodeEvent(last).event;
    const aheadMs = clock.now() - at;
    if (aheadMs < -BEHIND_MS_MAX || aheadMs > AHEAD_MS_MAX) {
      return (
        `the wall clock says ${iso(clock.now())}, ${duration(aheadMs)} ${aheadMs < 0 ? 'before' : 'after'} the journal's ` +
        `last event (sequence ${seq}, ${iso(at)}): set the clock right, or start with --accept-clock if it is`
      );
    }
    if (aheadMs > PAUSE_MS && !this.#hasLogged) {
      this.#hasLogged = true;
      observer.noted(`the journal's last event is ${duration(aheadMs)} old`, { seq, at: iso(at) });
    }
    return null;
  }
}

/** Formats a duration by its two largest units: `3 d 4 h`, `2 h 3 min`, `75 s`. */
function duration(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
