import { decodeEvent, type CommandlessEvent, type StoredEvent } from '@paper/journal';
import { DecisionCutter } from './decisions.ts';
import { ProjectionFault } from './faults.ts';
import type { Checkpoint, Projection } from './projection.ts';

/** Events in their order, as they are read. */
export interface Page {
  readonly events: readonly StoredEvent[];
  /** Whether more follow at once, for which the batch can wait. */
  readonly moreFollow: boolean;
}

export interface FeedOptions {
  /** Events of a transaction at most, unless one decision has more. */
  readonly batchSize: number;
  /** Waited for before each batch is written, with the number of its events: how a fill leaves room for others. */
  readonly pace?: ((events: number) => Promise<void>) | undefined;
  /** Told where the projection is after each transaction. */
  readonly onProgress?: ((checkpoint: Checkpoint, schema: string) => void) | undefined;
}

/**
 * Projects pages until there are no more. An event is folded as soon as it is decoded, so that of a page no more than its
 * texts are kept. While the database writes one batch, the next is read and folded: it ends when it is full, or when the
 * database is free and nothing more follows.
 *
 * @throws ProjectionFault, ProjectionFenced, SchemaRetired, and errors of the database or of the pages.
 */
export function feed(projection: Projection, pages: AsyncIterator<Page>, options: FeedOptions): Promise<void> {
  return new Feed(projection, options).run(pages);
}

class Feed {
  readonly #cutter: DecisionCutter;
  #moreFollow = true;
  /** The batch that is being written; null while the database is free. */
  #writing: Promise<null> | null = null;

  constructor(
    private readonly projection: Projection,
    private readonly options: FeedOptions,
  ) {
    this.#cutter = new DecisionCutter(options.batchSize);
  }

  async run(pages: AsyncIterator<Page>): Promise<void> {
    try {
      await this.#projectAll(pages);
      if (this.#cutter.mayCut) await this.#writeBatch();
      await this.#writing;
    } catch (error) {
      // Where a write has failed, that is why. One that is under way ends first.
      await this.#writing;
      throw error;
    }
  }

  async #projectAll(pages: AsyncIterator<Page>): Promise<void> {
    for (let next = fetchPage(pages); ;) {
      // A write that fails is met also where no further page ever comes.
      const page = await (this.#writing === null ? next : Promise.race([this.#writing, next]));
      if (page?.done === true) return;
      if (page === null) {
        this.#writing = null;
      } else {
        await this.#foldPage(page.value);
        next = fetchPage(pages);
      }
      if (this.#writing === null && !this.#moreFollow && this.#cutter.mayCut) await this.#writeBatch();
    }
  }

  async #foldPage({ events, moreFollow }: Page): Promise<void> {
    for (const stored of events) {
      const event = decoded(stored);
      if (this.#cutter.mustCutBefore(event)) await this.#writeBatch();
      this.#cutter.take(event);
      this.projection.fold(event);
    }
    this.#moreFollow = moreFollow;
  }

  /** Begins to write what is folded, as soon as what was begun before is written. */
  async #writeBatch(): Promise<void> {
    const { projection } = this;
    const { pace, onProgress } = this.options;
    await pace?.(this.#cutter.batch);
    const batch = projection.endBatch();
    this.#cutter.cut();
    await this.#writing;
    this.#writing = null;
    if (batch === null) return;
    this.#writing = projection.write(batch).then(() => {
      onProgress?.(projection.checkpoint, projection.schema);
      return null;
    });
    // Its failure is met when it is awaited.
    this.#writing.catch(() => undefined);
  }
}

function fetchPage(pages: AsyncIterator<Page>): Promise<IteratorResult<Page>> {
  const page = pages.next();
  // When a write fails before it is awaited, its own failure is nobody's.
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
