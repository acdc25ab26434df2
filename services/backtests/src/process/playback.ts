import { PULSE_INTERVAL_MS } from '@paper/contracts/markets';
import { iso } from '@paper/contracts/units';
import { nextTimerAt } from '@paper/exchange';
import type { TapeEvent } from '@paper/tapes';
import type { TapePlayer } from '../play/player.ts';
import type { BacktestExchange } from './exchange.ts';
import type { Feed } from './feed.ts';
import type { FiledEvents } from './filed-events.ts';

const EVENTS_MAX = 5_000_000;
const BYTES_MAX = 2_000_000_000;

/** Moves the clock from moment to moment, and plays each moment: timers first, then the tape. */
export class Playback {
  readonly now: () => number;
  #eventsDone = 0;
  /** The 2-s interval of the last pulse (a snapshot of the markets). The first moment of an interval has one. */
  #pulse = 0;
  #next: IteratorResult<TapeEvent> | null = null;

  constructor(
    private readonly exchange: BacktestExchange,
    private readonly feed: Feed,
    private readonly journal: FiledEvents,
    private readonly player: TapePlayer,
    private readonly events: AsyncIterator<TapeEvent>,
    private readonly endMs: number,
  ) {
    this.now = exchange.now;
  }

  get progress(): { readonly clock: string; readonly eventsDone: number } {
    return { clock: iso(this.now()), eventsDone: this.#eventsDone };
  }

  /** Folds the tape up to the first moment, and plays that. */
  async begin(): Promise<void> {
    for (let event = await this.#peek(); event !== null && event.atMs < this.now(); event = await this.#peek()) {
      this.player.skip(event);
      this.#next = null;
    }
    await this.#play();
  }

  /** Plays the next moment, at `untilMs` at the latest. Returns false after the last moment. */
  async next(untilMs: number): Promise<boolean> {
    const { clock, state } = this.exchange;
    if (this.now() >= this.endMs) return false;
    const tapeMs = (await this.#peek())?.atMs ?? Infinity;
    const timerMs = nextTimerAt(state()) ?? Infinity;
    const nextMs = Math.min(untilMs, timerMs, tapeMs, this.feed.nextMs, this.endMs);
    // A timer that could not be decided stays due, so the clock must still advance.
    clock.moveTo(Math.max(this.now() + 1, nextMs));
    await this.#play();
    return this.now() < this.endMs;
  }

  /** Adds the decisions of the present moment to the feed and the file. */
  async settle(): Promise<void> {
    await this.exchange.settled();
    this.feed.take(this.now());
    this.journal.write();
  }

  async #play(): Promise<void> {
    // What was read, previewed or refused before has used values, on which the journal must not depend.
    this.exchange.randomness.begin();
    await this.exchange.settled();
    const events = await this.#take(this.now());
    await this.player.playMoment(events);
    this.#eventsDone += events.length;
    await this.settle();
    const pulse = Math.floor(this.now() / PULSE_INTERVAL_MS);
    if (pulse > this.#pulse) await this.exchange.pulse();
    this.#pulse = pulse;
  }

  /** The tape's next event; null after the last. */
  async #peek(): Promise<TapeEvent | null> {
    this.#next ??= await this.events.next();
    return this.#next.done === true ? null : this.#next.value;
  }

  async #take(untilMs: number): Promise<readonly TapeEvent[]> {
    const taken: TapeEvent[] = [];
    for (let event = await this.#peek(); event !== null && event.atMs <= untilMs; event = await this.#peek()) {
      taken.push(event);
      this.#next = null;
    }
    return taken;
  }

  /** The reason why no further moment may be played; null if one may. */
  get limit(): string | null {
    const { bytes, length } = this.journal;
    if (length >= EVENTS_MAX) return `its journal has ${EVENTS_MAX} events`;
    return bytes >= BYTES_MAX ? `its journal has ${BYTES_MAX / 1e9} GB` : null;
  }
}
