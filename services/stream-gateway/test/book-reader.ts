import { KeptBook } from '@paper/testkit/http';
import type { BookEvent } from '@paper/testkit/http';
import { Watcher } from './watch.ts';

/** A client that keeps a book by its stream, on a socket of its own. */
export class BookReader {
  readonly kept = new KeptBook();

  private constructor(private readonly watcher: Watcher) {}

  static async open(url: string, marketId: string, headers = ''): Promise<BookReader> {
    return new BookReader(await Watcher.open(url, `/api/stream/orderbook/${marketId}`, headers));
  }

  /** Takes the next event; null at the end of the stream. */
  async next(): Promise<BookEvent | null> {
    for (;;) {
      const block = await this.watcher.block();
      if (block === null) return null;
      const event = this.kept.take(block);
      if (event !== null) return event;
    }
  }

  /** Reads until the book is at this sequence. */
  async upTo(seq: number): Promise<void> {
    while (this.kept.lastId < seq) {
      if ((await this.next()) === null) throw new Error(`the stream ended at ${this.kept.lastId}, before ${seq}`);
    }
  }

  pause(): void {
    this.watcher.pause();
  }

  drain(): Promise<void> {
    return this.watcher.drain();
  }

  leave(): void {
    this.watcher.leave();
  }
}
