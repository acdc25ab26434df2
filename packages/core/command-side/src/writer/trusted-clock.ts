import type { Clock } from '@paper/timing';
import type { WriterObserver } from './observer.ts';

/** A wall clock that jumped by more than this is not trusted. */
const LARGEST_JUMP_MS = 60_000;
/** A clock that jumped is trusted again after it has kept pace with the monotonic clock for this long. */
const STEADY_MS = 30_000;
/** The most that a clock moves between two checks when it is slewed, not set. */
const LARGEST_SLEW_MS = 1_000;
const CHECK_EVERY_MS = 1_000;

/** The disagreement while the reference clock cannot be read. It does not count as a contradiction. */
const UNREAD = "the database cannot be asked for its clock, which is what this machine's is compared with";

/** Reads the clock of another machine, in whole milliseconds since 1970 UTC. Rejects when the clock cannot be read. */
export type ReferenceClock = () => Promise<number>;

export interface TrustedClockOptions {
  readonly clock: Clock;
  readonly observer: Pick<WriterObserver, 'alarm' | 'noted'>;
  readonly reference?: ReferenceClock | undefined;
}

interface Distrust {
  /** The difference between the wall clock and its expected value; negative when it is behind. */
  readonly jumpMs: number;
  /** The wall clock's present offset from the monotonic clock, and the monotonic time since which it has it. */
  readonly offsetMs: number;
  readonly sinceMs: number;
  readonly disagreement: string | null;
}

/**
 * Reads the wall clock for decisions. Its readings are recorded for good and event times never go back, so a clock that
 * jumped must be trusted again before anything is decided. The states:
 *     trusted ⇄ distrusted
 * - The clock is trusted while it keeps pace with the monotonic clock. Steps of up to 60 s are accepted, since time
 *   servers make them. A larger step makes the clock distrusted, unless the machine was asleep for just as long.
 * - The clock is trusted again when it is back at the expected time; or when it has been steady for 30 s and the
 *   reference clock agrees to 60 s. The clock of a database on the same machine always agrees, so there only steadiness
 *   decides.
 * - If the reference contradicted the clock before the first decision, the clock may be set to any time: each new
 *   reading is compared with the reference again.
 */
export class TrustedClock {
  readonly #clock: Clock;
  #offsetMs: number;
  #asleepMs: number;
  #distrust: Distrust | null = null;
  /** Whether the reference clock contradicted the wall clock before the first decision. */
  #referenceDenied = false;
  #checkingReference = false;
  readonly #waiting = new Set<() => void>();
  #stopWatching: () => void = () => undefined;

  constructor(private readonly options: TrustedClockOptions) {
    this.#clock = options.clock;
    this.#offsetMs = this.#clock.now() - this.#clock.monotonic();
    this.#asleepMs = this.#asleep();
  }

  read(): number | null {
    const now = this.#clock.now();
    const offsetMs = now - this.#clock.monotonic();
    if (this.#distrust !== null || isFar(offsetMs, this.#offsetMs)) return this.#check() ? now : null;
    this.#offsetMs = offsetMs;
    return now;
  }

  /** The reason why the wall clock is not trusted, for operators; null while it is trusted. */
  get distrustReason(): string | null {
    if (this.read() !== null || this.#distrust === null) return null;
    const { jumpMs, disagreement } = this.#distrust;
    const jumped = `the wall clock jumped ${seconds(jumpMs)} ${jumpMs > 0 ? 'forward' : 'back'}`;
    return `${jumped}; ${disagreement ?? `it is trusted again once it has been steady for ${seconds(STEADY_MS)}`}`;
  }

  /** Whether the clock is trusted: no jump and no reading of the reference clock contradicts it, as far as known. */
  get isTrusted(): boolean {
    return this.distrustReason === null && !this.#referenceDenied;
  }

  /** Runs the work once the clock is trusted again. Work that already waits is not added twice. */
  onceTrusted(work: () => void): void {
    this.#waiting.add(work);
  }

  /** Checks the clock once a second from now on, so that it becomes trusted again by itself. */
  watch(): void {
    this.#check();
    if (this.#isSteady()) void this.#checkReference();
    this.#stopWatching = this.#clock.after(CHECK_EVERY_MS, () => this.watch());
  }

  stop(): void {
    this.#stopWatching();
  }

  /** How the clock differs from the reference before the first decision, for operators; null if it agrees. */
  async disagreement(): Promise<string | null> {
    const disagreement = await this.#referenceDisagreement();
    if (disagreement !== UNREAD) this.#referenceDenied = disagreement !== null;
    return disagreement;
  }

  async #referenceDisagreement(): Promise<string | null> {
    if (this.options.reference === undefined) return null;
    try {
      const referenceMs = await this.options.reference();
      const aheadMs = this.#clock.now() - referenceMs;
      if (Math.abs(aheadMs) <= LARGEST_JUMP_MS) return null;
      const difference = `${seconds(aheadMs)} ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's clock`;
      return `the wall clock is ${difference}: set right the one that is wrong`;
    } catch {
      return UNREAD;
    }
  }

  #check(): boolean {
    const offsetMs = this.#clock.now() - this.#clock.monotonic();
    const sleptMs = this.#asleep() - this.#asleepMs;
    const isBack = this.#referenceDenied || !isFar(offsetMs, this.#offsetMs);
    if (isBack || !isFar(offsetMs, this.#offsetMs + sleptMs)) {
      if (!isBack) this.options.observer.noted('the machine was asleep', { sleptMs });
      this.#trust(offsetMs);
      return true;
    }
    if (this.#distrust === null || Math.abs(offsetMs - this.#distrust.offsetMs) > LARGEST_SLEW_MS) {
      const jumpMs = offsetMs - this.#offsetMs;
      if (this.#distrust === null) {
        const error = new Error(`it jumped by ${jumpMs} ms`);
        this.options.observer.alarm('the wall clock jumped; commands are refused until it is trusted again', error);
      }
      this.#distrust = { disagreement: null, jumpMs, offsetMs, sinceMs: this.#clock.monotonic() };
    }
    return false;
  }

  #isSteady(): boolean {
    return this.#distrust !== null && this.#clock.monotonic() - this.#distrust.sinceMs >= STEADY_MS;
  }

  async #checkReference(): Promise<void> {
    if (this.#checkingReference) return;
    this.#checkingReference = true;
    const distrust = this.#distrust;
    const disagreement = await this.#referenceDisagreement();
    this.#checkingReference = false;
    // The clock may already be right again.
    if (this.#distrust === null || this.#distrust !== distrust || this.#check()) return;
    if (disagreement === null && this.#isSteady()) this.#trust(this.#distrust.offsetMs);
    else if (this.#distrust === distrust) this.#distrust = { ...distrust, disagreement };
  }

  #trust(offsetMs: number): void {
    this.#offsetMs = offsetMs;
    this.#asleepMs = this.#asleep();
    if (this.#distrust === null) return;
    this.options.observer.noted('the wall clock is trusted again', { jumpMs: this.#distrust.jumpMs });
    this.#distrust = null;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const work of waiting) work();
  }

  /** The time that the machine has been suspended since it started. */
  #asleep(): number {
    return this.#clock.sinceBoot() - this.#clock.monotonic();
  }
}

function isFar(offsetMs: number, expectedMs: number): boolean {
  return Math.abs(offsetMs - expectedMs) > LARGEST_JUMP_MS;
}

function seconds(ms: number): string {
  return `${Math.round(Math.abs(ms) / 1000).toLocaleString('en')} s`;
}
