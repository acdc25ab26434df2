import type { EventStream } from '@paper/http';

/** The view of a watcher: these markets in this order, or (null) the most active ones. */
export type WatchedMarkets = readonly string[] | null;

/** The key of a view, equal for equal views. No id is empty or has a NUL. */
export function keyOf(view: WatchedMarkets): string {
  return view === null ? '' : view.join('\0');
}

interface Audience {
  readonly view: WatchedMarkets;
  readonly streams: Set<EventStream>;
}

export class Watchers {
  readonly #audiences = new Map<string, Audience>();
  #count = 0;

  constructor(
    private readonly bufferedBytesMax: number,
    private readonly dropped: () => void,
  ) {}

  get count(): number {
    return this.#count;
  }

  lists(): (readonly string[])[] {
    return Array.from(this.#audiences.values(), ({ view }) => view).filter((view) => view !== null);
  }

  isWatched(view: WatchedMarkets): boolean {
    return this.#audiences.has(keyOf(view));
  }

  add(view: WatchedMarkets, stream: EventStream): void {
    const key = keyOf(view);
    const audience = this.#audiences.get(key) ?? { view, streams: new Set() };
    audience.streams.add(stream);
    this.#audiences.set(key, audience);
    this.#count += 1;
  }

  remove(view: WatchedMarkets, stream: EventStream): void {
    const key = keyOf(view);
    const streams = this.#audiences.get(key)?.streams;
    if (streams === undefined || !streams.delete(stream)) return;
    this.#count -= 1;
    if (streams.size === 0) this.#audiences.delete(key);
  }

  /** Writes the bytes to all watchers of the view. One that has not received its previous bytes is disconnected. */
  send(view: WatchedMarkets, bytes: Buffer): void {
    for (const stream of this.#audiences.get(keyOf(view))?.streams ?? []) {
      if (stream.buffered <= this.bufferedBytesMax) {
        stream.write(bytes);
      } else {
        this.dropped();
        stream.cut();
      }
    }
  }

  sendToAll(bytes: Buffer): void {
    for (const { view } of this.#audiences.values()) this.send(view, bytes);
  }

  end(): void {
    for (const { streams } of this.#audiences.values()) {
      for (const stream of streams) {
        if (stream.buffered === 0) stream.end();
        else stream.cut();
      }
    }
  }
}
