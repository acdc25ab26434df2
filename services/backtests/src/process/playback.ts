import { PULSE_INTERVAL_MS } from '@paper/contracts/markets';
import { nextTimerAt } from '@paper/exchange';
import type { TapePlayer } from '../play/player.ts';
import type { BacktestClock } from './backtest-clock.ts';
import type { Feed } from './feed.ts';
import type { FiledEvents } from './filed-events.ts';
import type { Moments } from './moments.ts';
import type { DirectExchange } from './direct-exchange.ts';

const EVENTS_MAX = 5_000_000;
const BYTES_MAX = 2_000_000_000;

interface PlaybackOptions {
  readonly clock: BacktestClock;
  readonly direct: DirectExchange;
  readonly player: TapePlayer;
  readonly moments: Moments;
  readonly journal: FiledEvents;
  readonly feed: Feed;
  readonly pulse: () => Promise<void>;
  readonly endMs: number;
}

/** Moves the clock from moment to moment, and plays each moment: timers first, then the tape. */
export class Playback {
  eventsDone = 0;
  /** The 2-s interval of the last pulse (a snapshot of the markets). The first moment of an interval has one. */
  #pulse = 0;

  constructor(private readonly options: PlaybackOptions) {}

  async begin(): Promise<void> {
    const { clock, moments, player } = this.options;
    for (let at = await moments.peek(); at !== null && at < clock.now(); at = await moments.peek()) {
      for (const event of await moments.take(at)) player.skip(event);
    }
    await this.#play();
  }

  /** Plays the next moment, at `untilMs` at the latest. Returns false after the last moment. */
  async next(untilMs: number): Promise<boolean> {
    const { clock, endMs, feed, moments, direct } = this.options;
    if (clock.now() >= endMs) return false;
    const tapeMs = (await moments.peek()) ?? Infinity;
    const timerMs = nextTimerAt(direct.state()) ?? Infinity;
    const nextMs = Math.min(untilMs, timerMs, tapeMs, feed.nextMs, endMs);
    // A timer that could not be decided stays due, so the clock must still advance.
    clock.moveTo(Math.max(clock.now() + 1, nextMs));
    await this.#play();
    return clock.now() < endMs;
  }

  /** Adds the decisions of the present moment to the feed and the file. */
  async settle(): Promise<void> {
    const { clock, feed, journal, direct } = this.options;
    await direct.settled();
    feed.take(journal.slice(feed.seq), clock.now());
    journal.write();
  }

  async #play(): Promise<void> {
    const { clock, moments, player, direct } = this.options;
    await direct.settled();
    const events = await moments.take(clock.now());
    await player.playMoment(events);
    this.eventsDone += events.length;
    await this.settle();
    const pulse = Math.floor(clock.now() / PULSE_INTERVAL_MS);
    if (pulse > this.#pulse) await this.options.pulse();
    this.#pulse = pulse;
  }

  /** The reason why no further moment may be played; null if one may. */
  get limit(): string | null {
    const { bytes, length } = this.options.journal;
    if (length >= EVENTS_MAX) return `its journal has ${EVENTS_MAX} events`;
    return bytes >= BYTES_MAX ? `its journal has ${BYTES_MAX / 1e9} GB` : null;
  }
}
