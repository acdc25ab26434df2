import { ApiError } from '@paper/contracts';
import type { MarketSnapshots, PulseMessage } from '@paper/pulse';
import type { Clock } from '@paper/timing';
import { Picture } from './picture.ts';
import { SILENCE_MS } from './pulse-rhythm.ts';
import { keyOf } from './watchers.ts';
import type { View } from './watchers.ts';

export interface SentPicture {
  readonly seq: number;
  readonly bytes: Buffer;
}

interface Kept<T> {
  readonly kept: T;
  readonly atMs: number;
}

/** The latest snapshots, for watchers that connect between two pulses. */
export class LatestPictures {
  #others: Kept<Picture> | null = null;
  #pulse: Kept<Picture> | null = null;
  readonly #taken = new Map<string, Kept<SentPicture>>();
  readonly #pending = new Map<string, Promise<SentPicture>>();

  constructor(
    private readonly snapshots: MarketSnapshots,
    private readonly clock: Clock,
    private readonly keptMs = SILENCE_MS,
  ) {}

  keepPulse(message: PulseMessage): { readonly picture: Picture; readonly bytes: Buffer } {
    const picture = new Picture(message);
    const bytes = picture.event();
    this.#taken.clear();
    this.#pulse = this.#now(picture);
    this.#taken.set(keyOf(null), this.#now({ seq: picture.seq, bytes }));
    return { picture, bytes };
  }

  keepOthers(message: PulseMessage): Picture {
    const picture = new Picture(message);
    this.#others = this.#now(picture);
    return picture;
  }

  /** The latest snapshot for a new watcher, or a new one, read once for all. Throws ApiError market_not_found. */
  first(view: View): Promise<SentPicture> {
    const key = keyOf(view);
    const latest = this.#fresh(this.#taken.get(key) ?? null) ?? this.#fromLatest(view);
    if (latest !== null) return Promise.resolve(latest);
    let taking = this.#pending.get(key);
    if (taking === undefined) {
      taking = this.#take(view).finally(() => this.#pending.delete(key));
      this.#pending.set(key, taking);
    }
    return taking;
  }

  forgetOthers(): void {
    this.#others = null;
  }

  clear(): void {
    this.#others = null;
    this.#pulse = null;
    this.#taken.clear();
  }

  #fromLatest(view: View): SentPicture | null {
    if (view === null) return null;
    const newestFirst = [this.#others, this.#pulse].sort((a, b) => (b?.atMs ?? 0) - (a?.atMs ?? 0));
    for (const latest of newestFirst) {
      const picture = this.#fresh(latest);
      if (picture !== null && picture.has(view)) return { seq: picture.seq, bytes: picture.event(view) };
    }
    return null;
  }

  async #take(view: View): Promise<SentPicture> {
    const message = await (view === null ? this.snapshots.mostActive() : this.snapshots.of(view));
    const picture = new Picture(message);
    const unknown = view?.find((id) => !picture.has([id]));
    if (unknown !== undefined) throw new ApiError('market_not_found', `No market has the id ${unknown}`);
    const sent = { seq: picture.seq, bytes: picture.event(view ?? undefined) };
    this.#taken.set(keyOf(view), this.#now(sent));
    return sent;
  }

  #now<T>(kept: T): Kept<T> {
    return { kept, atMs: this.clock.monotonic() };
  }

  #fresh<T>(latest: Kept<T> | null): T | null {
    return latest !== null && this.clock.monotonic() - latest.atMs < this.keptMs ? latest.kept : null;
  }
}
