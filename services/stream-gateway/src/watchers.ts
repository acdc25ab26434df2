import type { EventStream } from '@paper/service-kit';

/** What somebody watches: one market by its id, or (null) the most active ones. */
export type View = string | null;

/** All watchers, by what they watch. */
export class Watchers {
  readonly #views = new Map<View, Set<EventStream>>();
  #count = 0;

  constructor(
    private readonly bufferedBytesMax: number,
    private readonly dropped: () => void,
  ) {}

  get count(): number {
    return this.#count;
  }

  /** The markets that somebody watches alone. */
  markets(): string[] {
    return [...this.#views.keys()].filter((view) => view !== null);
  }

  add(view: View, stream: EventStream): void {
    const streams = this.#views.get(view) ?? new Set();
    this.#views.set(view, streams.add(stream));
    this.#count += 1;
  }

  remove(view: View, stream: EventStream): void {
    const streams = this.#views.get(view);
    if (streams === undefined || !streams.delete(stream)) return;
    this.#count -= 1;
    if (streams.size === 0) this.#views.delete(view);
  }

  /**
   * Writes the same bytes to all that watch this. One that has not taken in what it was sent before is cut: what it
   * would get was no longer so, and the memory is ours.
   */
  send(view: View, bytes: Buffer): void {
    for (const stream of this.#views.get(view) ?? []) {
      if (stream.buffered <= this.bufferedBytesMax) stream.write(bytes);
      else {
        this.dropped();
        stream.cut();
      }
    }
  }

  sendToAll(bytes: Buffer): void {
    for (const view of this.#views.keys()) this.send(view, bytes);
  }

  /** Ends every stream; one that has not taken in all of it is cut, since nobody waits for it. */
  end(): void {
    for (const streams of this.#views.values()) {
      for (const stream of streams) {
        if (stream.buffered === 0) stream.end();
        else stream.cut();
      }
    }
  }
}
