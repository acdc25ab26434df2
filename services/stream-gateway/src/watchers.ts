import type { EventStream } from '@paper/service-kit';

/** What a watcher sees: one market by its id, or (null) the most active ones. */
export type View = string | null;

/** All watchers, by view. */
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

  /** The markets that are watched singly. */
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
   * Writes the same bytes to all watchers of the view. A watcher that has not received its former bytes is cut: the new
   * ones would be out of date on arrival, and unsent bytes take our memory.
   */
  send(view: View, bytes: Buffer): void {
    for (const stream of this.#views.get(view) ?? []) {
      if (stream.buffered <= this.bufferedBytesMax) {
        stream.write(bytes);
      } else {
        this.dropped();
        stream.cut();
      }
    }
  }

  sendToAll(bytes: Buffer): void {
    for (const view of this.#views.keys()) this.send(view, bytes);
  }

  /** Ends every stream; cuts those whose client has not received all of it, since nothing waits for that. */
  end(): void {
    for (const streams of this.#views.values()) {
      for (const stream of streams) {
        if (stream.buffered === 0) stream.end();
        else stream.cut();
      }
    }
  }
}
