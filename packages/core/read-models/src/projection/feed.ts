import { setImmediate as turn } from 'node:timers/promises';
import { decodeEvent } from '@paper/journal';
import type { CommandlessEvent, StoredEvent } from '@paper/journal';
import { DecisionCutter } from '../engine/decisions.ts';
import { ProjectionFault } from '../engine/faults.ts';
import type { Gathering } from '../engine/gathering.ts';
import type { Folded, Projected, Projection } from './projection.ts';

/** Consecutive events of the journal. */
export interface Page {
  readonly events: readonly StoredEvent[];
  /** Whether more events follow at once, so that the batch can wait for them. */
  readonly moreFollow: boolean;
}

export interface FeedOptions {
  /** The most events of a transaction, unless a single decision has more. */
  readonly batchSize: number;
  /** The last sequence to project. Batches shrink towards it, so that little is left to write at the end. */
  readonly endSeq?: number | undefined;
  /** The number of events after which the finished rows of a batch are written early; default 20,000. */
  readonly partSize?: number | undefined;
  /** Awaited before a batch of so many events is written, to slow a fill down in favour of other work. */
  readonly pace?: ((events: number) => Promise<void>) | undefined;
  /** Lets events gather before a batch that is not full is written; default: the database is never left idle. */
  readonly gathering?: Gathering | undefined;
  readonly onProgress?: ((checkpoint: Projected, schema: string) => void) | undefined;
  /** Called with the sequence that the uncommitted transaction has reached. */
  readonly onPart?: ((seq: number) => void) | undefined;
}

const PART_SIZE = 20_000;

/** The most writes in progress and queued: parts (some 7 MB of rows each) wait while the end of a batch is written. */
const WRITES_AT_ONCE = 4;

/** The events that are folded before the event loop gets a turn to give the database its next statement: a few ms. */
const TURN_SIZE = 200;

/**
 * Projects pages until there are no more. While the database writes one batch, the next one is read and folded, each
 * event as soon as it is decoded, so that only a page's texts are in memory. A batch ends when it is full, or when the
 * database is free, no further event has arrived, and no more are to be gathered.
 * @throws ProjectionFault, ProjectionFenced, SchemaRetired, and errors of the database or of the pages.
 */
export function feed(projection: Projection, pages: AsyncIterator<Page>, options: FeedOptions): Promise<void> {
  return new Feed(projection, options).run(pages);
}

class Feed {
  readonly #partSize: number;
  readonly #cutter: DecisionCutter;
  #moreFollow = true;
  #part = 0;
  /** The write in progress and those that wait for it, in order; the database is idle while there is none. */
  readonly #writes: Promise<void>[] = [];
  #failure: Error | null = null;
  #onNews: { readonly resolve: (nothing: null) => void; readonly reject: (error: unknown) => void } | null = null;

  constructor(
    private readonly projection: Projection,
    private readonly options: FeedOptions,
  ) {
    this.#partSize = options.partSize ?? PART_SIZE;
    this.#cutter = new DecisionCutter(this.#batchSizeAfter(projection.checkpoint.seq));
  }

  async run(pages: AsyncIterator<Page>): Promise<void> {
    try {
      await this.#projectAll(pages);
      if (this.#cutter.mayCut) await this.#writeBatch();
      await this.#writes.at(-1);
    } catch (error) {
      // The error of a failed write takes precedence. Writes in flight end before it is thrown.
      await this.#writes.at(-1);
      throw error;
    } finally {
      this.options.gathering?.stop();
      await this.projection.abandonPart();
    }
  }

  async #projectAll(pages: AsyncIterator<Page>): Promise<void> {
    for (let next = fetchPage(pages); ;) {
      const page = await this.#pageOrNews(next);
      if (page?.done === true) return;
      if (page !== null) {
        await this.#foldPage(page.value);
        next = fetchPage(pages);
      }
      if (this.#writes.length === 0 && !this.#moreFollow && this.#cutter.mayCut && this.#isDue()) {
        await this.#writeBatch();
      }
    }
  }

  #isDue(): boolean {
    const { options, projection } = this;
    const lookAgain = (): void => this.#onNews?.resolve(null);
    return options.gathering?.isDue(projection.checkpoint.seq + 1, lookAgain) ?? true;
  }

  /**
   * Returns the next page, or null if all writes or the gathering end first. Rejects as soon as a write fails.
   * (`Promise.race` would keep each page in memory as long as the write.)
   */
  #pageOrNews(next: Promise<IteratorResult<Page>>): Promise<IteratorResult<Page> | null> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) reject(this.#failure);
      this.#onNews = { resolve, reject };
      next.then(resolve, reject);
    });
  }

  async #foldPage({ events, moreFollow }: Page): Promise<void> {
    for (const [position, stored] of events.entries()) {
      // There is no pause before the first event: a single new event is folded at once.
      if (position > 0 && position % TURN_SIZE === 0) await turn();
      const event = decoded(stored);
      if (this.#cutter.mustCutBefore(event)) await this.#writeBatch();
      else if (this.#part >= this.#partSize) await this.#writePart();
      this.#cutter.take(event);
      this.#part += 1;
      this.projection.fold(event);
    }
    this.#moreFollow = moreFollow;
  }

  async #writeBatch(): Promise<void> {
    await this.options.pace?.(this.#cutter.batch);
    const batch = this.projection.endBatch();
    if (batch === null) return;
    this.options.gathering?.begin();
    this.#cutter.cut(this.#batchSizeAfter(batch.to.seq));
    await this.#write(batch);
  }

  #batchSizeAfter(seq: number): number {
    const { batchSize, endSeq = Infinity } = this.options;
    return Math.min(batchSize, Math.max(this.#partSize, Math.ceil((endSeq - seq) / 2)));
  }

  async #writePart(): Promise<void> {
    const part = this.projection.endPart();
    if (part !== null) await this.#write(part);
  }

  /** Queues the write of the folded batch. Waits only while the queue is full, not for the write itself. */
  async #write(folded: Folded): Promise<void> {
    this.#part = 0;
    if (this.#writes.length === WRITES_AT_ONCE) await this.#writes[0];
    const write = this.#writeAfter(this.#writes.at(-1), folded);
    this.#writes.push(write);
    // The failure is thrown when this write, or the next one, is awaited.
    write.catch(() => undefined);
  }

  async #writeAfter(before: Promise<void> | undefined, folded: Folded): Promise<void> {
    await before;
    const { projection } = this;
    try {
      await projection.write(folded);
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      this.#onNews?.reject(this.#failure);
      throw this.#failure;
    }
    void this.#writes.shift();
    if (folded.endsBatch) this.options.onProgress?.(projection.checkpoint, projection.schema);
    else this.options.onPart?.(folded.to.seq);
    if (this.#writes.length === 0) this.#onNews?.resolve(null);
  }
}

function fetchPage(pages: AsyncIterator<Page>): Promise<IteratorResult<Page>> {
  const page = pages.next();
  // If a write fails first, this page is never awaited, and its rejection must not end the process.
  page.catch(() => undefined);
  return page;
}

function decoded(stored: StoredEvent): CommandlessEvent {
  try {
    return decodeEvent(stored);
  } catch (error) {
    throw new ProjectionFault(`sequence ${stored.seq} cannot be read: ${String(error)}`, { cause: error });
  }
}
