import type { Clock } from './clock.ts';
import type { WriterObserver } from './observer.ts';

/** A wall clock that is further off than this from where it should be decides nothing. */
const LARGEST_JUMP_MS = 60_000;
/** One that has jumped is believed again where it has gone with the monotonic clock for this long. */
const STEADY_MS = 30_000;
/** Between two looks at a clock that nobody sets, and that may be slewed. */
const LARGEST_SLEW_MS = 1_000;
const LOOK_EVERY_MS = 1_000;

/** The clock of another machine, in whole milliseconds since 1970 UTC. Rejects where it cannot be asked. */
export type Witness = () => Promise<number>;

export interface CheckedClockOptions {
  readonly clock: Clock;
  readonly observer: Pick<WriterObserver, 'alarm' | 'noted'>;
  /** The database's clock; default: there is no other clock that could be asked. */
  readonly witness?: Witness | undefined;
}

/** Why the wall clock is not believed. */
interface Doubt {
  /** How far it is from where it should be: ahead, or behind where negative. */
  readonly jumpMs: number;
  /** Where it is now, against the monotonic clock; and since when it has been there, by that clock. */
  readonly offsetMs: number;
  readonly sinceMs: number;
  /** What the witness said that speaks against it. */
  readonly against: string | null;
}

/**
 * Reads the wall clock for decisions. What it says is recorded for good, and event times never go back, so one that has
 * jumped is not believed before there is a reason to. Its life:
 *
 *     believed ⇄ in doubt
 *
 * It is believed as long as it goes with the monotonic clock: steps of up to 60 s move the expectation along, since time
 * servers make them. A larger one is a doubt, and nothing is decided, unless the machine was asleep for just as long.
 * It is believed again when it is back; or when it has been steady at its new place for 30 s and the witness agrees to
 * 60 s. Where the witness is a database on the same machine it always does, and steadiness is all that there is to go by.
 * One that the witness denied before anything was decided by it was expected nowhere: where it is set to, it is asked about.
 */
export class CheckedClock {
  private readonly clock: Clock;
  private offsetMs: number;
  private asleepMs: number;
  private doubt: Doubt | null = null;
  /** The witness denied it before anything was decided by it. */
  private denied = false;
  private asking = false;
  private readonly waiting = new Set<() => void>();
  private stopWatching: () => void = () => undefined;

  constructor(private readonly options: CheckedClockOptions) {
    this.clock = options.clock;
    this.offsetMs = this.clock.now() - this.clock.monotonic();
    this.asleepMs = this.asleep();
  }

  /** The wall clock's reading, or null while it cannot be believed. */
  read(): number | null {
    const now = this.clock.now();
    const offsetMs = now - this.clock.monotonic();
    if (this.doubt !== null || isFar(offsetMs, this.offsetMs)) return this.look() ? now : null;
    this.offsetMs = offsetMs;
    return now;
  }

  /** Why it is not believed, for operators; null while it is. */
  get doubted(): string | null {
    if (this.read() !== null || this.doubt === null) return null;
    const { jumpMs, against } = this.doubt;
    const jumped = `the wall clock jumped ${seconds(jumpMs)} ${jumpMs > 0 ? 'forward' : 'back'}`;
    return `${jumped}; ${against ?? `it is believed again when it has been steady for ${seconds(STEADY_MS)}`}`;
  }

  /** Runs the work once it is believed again; what waits already waits once, however often it comes. */
  onceBelieved(work: () => void): void {
    this.waiting.add(work);
  }

  /** Looks at it once a second from now on, so that it is believed again by itself. */
  watch(): void {
    this.look();
    if (this.isSteady()) void this.askWitness();
    this.stopWatching = this.clock.after(LOOK_EVERY_MS, () => this.watch());
  }

  stop(): void {
    this.stopWatching();
  }

  /**
   * Asks the witness, for one who has yet to begin to decide: what speaks against this clock, for operators; null where
   * they agree, or there is none.
   */
  async disagreement(): Promise<string | null> {
    const against = await this.askedWitness();
    this.denied = against !== null;
    return against;
  }

  private async askedWitness(): Promise<string | null> {
    if (this.options.witness === undefined) return null;
    try {
      const witnessMs = await this.options.witness();
      const aheadMs = this.clock.now() - witnessMs;
      if (Math.abs(aheadMs) <= LARGEST_JUMP_MS) return null;
      const difference = `${seconds(aheadMs)} ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's clock`;
      return `the wall clock is ${difference}: set right the one that is wrong`;
    } catch {
      return "the database cannot be asked for its clock, which is what this machine's is compared with";
    }
  }

  /** Whether it is believed. */
  private look(): boolean {
    const offsetMs = this.clock.now() - this.clock.monotonic();
    const sleptMs = this.asleep() - this.asleepMs;
    const isBack = this.denied || !isFar(offsetMs, this.offsetMs);
    if (isBack || !isFar(offsetMs, this.offsetMs + sleptMs)) {
      if (!isBack) this.options.observer.noted('the machine was asleep', { sleptMs });
      this.believe(offsetMs);
      return true;
    }
    if (this.doubt === null || Math.abs(offsetMs - this.doubt.offsetMs) > LARGEST_SLEW_MS) {
      const jumpMs = offsetMs - this.offsetMs;
      if (this.doubt === null) {
        const error = new Error(`it jumped by ${jumpMs} ms`);
        this.options.observer.alarm('the wall clock jumped; nothing is decided until it can be believed', error);
      }
      this.doubt = { against: null, jumpMs, offsetMs, sinceMs: this.clock.monotonic() };
    }
    return false;
  }

  private isSteady(): boolean {
    return this.doubt !== null && this.clock.monotonic() - this.doubt.sinceMs >= STEADY_MS;
  }

  private async askWitness(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    const asked = this.doubt;
    const against = await this.askedWitness();
    this.asking = false;
    // What it was asked about may be over.
    if (this.doubt === null || this.doubt !== asked || this.look()) return;
    if (against === null && this.isSteady()) this.believe(this.doubt.offsetMs);
    else if (this.doubt === asked) this.doubt = { ...asked, against };
  }

  private believe(offsetMs: number): void {
    this.offsetMs = offsetMs;
    this.asleepMs = this.asleep();
    if (this.doubt === null) return;
    this.options.observer.noted('the wall clock is believed again', { jumpMs: this.doubt.jumpMs });
    this.doubt = null;
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const work of waiting) work();
  }

  /** How long the machine has been suspended since it started. */
  private asleep(): number {
    return this.clock.sinceBoot() - this.clock.monotonic();
  }
}

function isFar(offsetMs: number, expectedMs: number): boolean {
  return Math.abs(offsetMs - expectedMs) > LARGEST_JUMP_MS;
}

function seconds(ms: number): string {
  return `${Math.round(Math.abs(ms) / 1000).toLocaleString('en')} s`;
}
