import { Unavailable } from '@paper/contracts';
import { decodePublic } from '@paper/journal';
import type { PublicJournalEvent, StoredEvent } from '@paper/journal';
import { createRetryLog } from '@paper/runtime';
import type { Logger, RetryLog } from '@paper/runtime';
import type { ReadableJournal } from './page-bytes.ts';

const CANNOT_READ = 'the journal could not be read for a client';

export class JournalReads {
  readonly #retries: RetryLog;

  constructor(
    private readonly journal: Promise<Pick<ReadableJournal, 'read'>>,
    logger: Logger,
  ) {
    this.#retries = createRetryLog(logger);
  }

  /** The public part of an event in the read models. Throws Unavailable; the signal's reason once no client waits. */
  async event(seq: number, signal: AbortSignal): Promise<PublicJournalEvent> {
    return decodePublic(await this.#read(seq, signal));
  }

  async eventId(seq: number, signal: AbortSignal): Promise<string> {
    return (await this.#read(seq, signal)).id;
  }

  async #read(seq: number, signal: AbortSignal): Promise<StoredEvent> {
    const journal = await this.journal;
    signal.throwIfAborted();
    try {
      const [stored] = await journal.read(seq, 1);
      if (stored === undefined) throw new Error(`the journal has no event ${seq}`);
      this.#retries.works(CANNOT_READ);
      return stored;
    } catch (error) {
      this.#retries.failed(CANNOT_READ, error);
      throw new Unavailable('the journal cannot be read now; try again');
    }
  }
}
