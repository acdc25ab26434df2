import { ApiError } from '@paper/contracts';
import type { MarketSnapshots, PulseMessage } from '@paper/pulse';
import type { Clock } from '@paper/timing';
import { SerializedSnapshot } from './serialized-snapshot.ts';
import { SILENCE_MS } from './pulse-rhythm.ts';
import { keyOf } from './watchers.ts';
import type { WatchedMarkets } from './watchers.ts';

interface SentSnapshot {
  readonly seq: number;
  readonly bytes: Buffer;
}

interface Kept<T> {
  readonly kept: T;
  readonly atMs: number;
}

/**
 * The latest snapshots of markets' prices, for watchers that connect between two pulses (the snapshots sent every 2 s).
 */
export class LatestSnapshots {
  #others: Kept<SerializedSnapshot> | null = null;
  #pulse: Kept<SerializedSnapshot> | null = null;
  readonly #taken = new Map<string, Kept<SentSnapshot>>();
  readonly #pending = new Map<string, Promise<SentSnapshot>>();

  constructor(
    private readonly snapshots: MarketSnapshots,
    private readonly clock: Clock,
    private readonly keptMs = SILENCE_MS,
  ) {}

  keepPulse(message: PulseMessage): { readonly snapshot: SerializedSnapshot; readonly bytes: Buffer } {
    const snapshot = new SerializedSnapshot(message);
    const bytes = snapshot.event();
    this.#taken.clear();
    this.#pulse = this.#now(snapshot);
    this.#taken.set(keyOf(null), this.#now({ seq: snapshot.seq, bytes }));
    return { snapshot, bytes };
  }

  keepOthers(message: PulseMessage): SerializedSnapshot {
    const snapshot = new SerializedSnapshot(message);
    this.#others = this.#now(snapshot);
    return snapshot;
  }

  /** The latest snapshot for a new watcher, or a new one, read once for all. Throws ApiError market_not_found. */
  first(view: WatchedMarkets): Promise<SentSnapshot> {
    const key = keyOf(view);
    const latest = this.#fresh(this.#taken.get(key) ?? null) ?? this.#fromLatest(view);
    if (latest !== null) return Promise.resolve(latest);
    const taking = this.#pending.get(key);
    if (taking === undefined) return this.#takeForAll(key, view);
    // A read that began earlier may not know a market that was listed since.
    return taking.catch(() => this.#pending.get(key) ?? this.#takeForAll(key, view));
  }

  #takeForAll(key: string, view: WatchedMarkets): Promise<SentSnapshot> {
    const taking = this.#take(view).finally(() => this.#pending.delete(key));
    this.#pending.set(key, taking);
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

  #fromLatest(view: WatchedMarkets): SentSnapshot | null {
    if (view === null) return null;
    const newestFirst = [this.#others, this.#pulse].sort((a, b) => (b?.atMs ?? 0) - (a?.atMs ?? 0));
    for (const latest of newestFirst) {
      const snapshot = this.#fresh(latest);
      if (snapshot !== null && snapshot.has(view)) return { seq: snapshot.seq, bytes: snapshot.event(view) };
    }
    return null;
  }

  async #take(view: WatchedMarkets): Promise<SentSnapshot> {
    const message = await (view === null ? this.snapshots.mostActive() : this.snapshots.of(view));
    const snapshot = new SerializedSnapshot(message);
    const unknown = view?.find((id) => !snapshot.has([id]));
    if (unknown !== undefined) throw new ApiError('market_not_found', `No market has the id ${unknown}`);
    const sent = { seq: snapshot.seq, bytes: snapshot.event(view ?? undefined) };
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
