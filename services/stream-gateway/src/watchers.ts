import type { EventStream } from '@paper/http';
import { inPieces } from '@paper/timing';

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
  /** Settles when all bytes given to `spread` are written. */
  #spreading = Promise.resolve();
  /** How many calls of `spread` wait until the bytes of a former call are written. */
  #waiting = 0;

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
    for (const stream of this.#audiences.get(keyOf(view))?.streams ?? []) this.#write(stream, bytes);
  }

  /** Writes each view its bytes in pieces with short rests, so that thousands of watchers do not keep a processor. */
  spread(pulses: readonly { readonly view: WatchedMarkets; readonly bytes: Buffer }[]): void {
    const writes = pulses.flatMap(({ bytes, view }) => {
      const streams = this.#audiences.get(keyOf(view))?.streams ?? new Set();
      return Array.from(streams, (stream) => ({ bytes, stream, streams }));
    });
    const write = ({ bytes, stream, streams }: (typeof writes)[number]): void => {
      if (streams.has(stream)) this.#write(stream, bytes);
    };
    this.#waiting += 1;
    this.#spreading = this.#spreading.then(() => {
      this.#waiting -= 1;
      return inPieces(writes, write, () => this.#waiting > 0);
    });
  }

  spreadToAll(bytes: Buffer): void {
    this.spread(Array.from(this.#audiences.values(), ({ view }) => ({ bytes, view })));
  }

  #write(stream: EventStream, bytes: Buffer): void {
    if (stream.buffered <= this.bufferedBytesMax) {
      stream.write(bytes);
    } else {
      this.dropped();
      stream.cut();
    }
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
