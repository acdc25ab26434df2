import { ApiError } from '@paper/contracts';
import type { Pictures, PulseMessage } from '@paper/pulse';
import type { Clock } from '@paper/timing';
import { eventBytes } from './event-text.ts';
import { SILENCE_MS } from './pulse-rhythm.ts';
import type { View } from './watchers.ts';

/** A picture as it is sent. */
export interface SentPicture {
  readonly seq: number;
  readonly bytes: Buffer;
}

interface LatestPicture extends SentPicture {
  readonly atMs: number;
}

/** The latest picture of each view, kept for watchers that come between two pulses. */
export class LatestPictures {
  readonly #latest = new Map<View, LatestPicture>();
  readonly #pending = new Map<View, Promise<LatestPicture>>();

  constructor(
    private readonly pictures: Pictures,
    private readonly clock: Clock,
  ) {}

  /** Keeps the message as the view's latest picture, and gives its bytes. */
  keep(view: View, message: PulseMessage): Buffer {
    return this.#keep(view, message).bytes;
  }

  /**
   * The first picture for a new watcher: the latest pulse, or a picture of now, read once for all that wait for it.
   * @throws ApiError market_not_found when the view is of a market that does not exist.
   */
  first(view: View): Promise<SentPicture> {
    const latest = this.#latest.get(view);
    if (latest !== undefined && this.clock.monotonic() - latest.atMs < SILENCE_MS) return Promise.resolve(latest);
    let taking = this.#pending.get(view);
    if (taking === undefined) {
      taking = this.#take(view).finally(() => this.#pending.delete(view));
      this.#pending.set(view, taking);
    }
    return taking;
  }

  /** Drops the pictures of all markets but these; the picture of the most active ones stays. */
  forgetMarketsExcept(watched: readonly string[]): void {
    for (const view of this.#latest.keys()) {
      if (view !== null && !watched.includes(view)) this.#latest.delete(view);
    }
  }

  clear(): void {
    this.#latest.clear();
  }

  #keep(view: View, message: PulseMessage): LatestPicture {
    const latest = { seq: message.seq, bytes: eventBytes(message), atMs: this.clock.monotonic() };
    this.#latest.set(view, latest);
    return latest;
  }

  async #take(view: View): Promise<LatestPicture> {
    const message = await (view === null ? this.pictures.mostActive() : this.pictures.of([view]));
    if (view !== null && message.pulse.markets.length === 0) {
      throw new ApiError('market_not_found', `No market has the id ${view}`);
    }
    return this.#keep(view, message);
  }
}
