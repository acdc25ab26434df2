import { ApiError } from '@paper/contracts';
import { decodeEvent, type CommandlessEvent, type Journal, type StoredEvent } from '@paper/journal';
import { createRetryLog, type Logger, type RetryLog } from '@paper/service-kit';

/** Events that are held at a time while a page is made. */
const CHUNK = 250;
/** Who comes when so many wait is better told so than kept waiting. */
const WAITING_MAX = 100;
const CANNOT_READ = 'the journal could not be read for a client';

export type ReadableJournal = Pick<Journal, 'head' | 'read'>;

export interface PageLimits {
  readonly events: number;
  /** Of the public texts; the event that reaches it is the last of the page. */
  readonly bytes: number;
}

export interface JournalPage {
  readonly events: readonly StoredEvent[];
  /** A limit ended it: the same page will always be the same. */
  readonly full: boolean;
}

/**
 * What clients read of the journal itself. One read at a time: however many ask, no more than one page is held, and one
 * connection is taken from who appends and who follows.
 */
export class JournalReads {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  readonly #retries: RetryLog;

  /** `journal` may be a long time in coming. */
  constructor(
    private readonly journal: Promise<ReadableJournal>,
    logger: Logger,
  ) {
    this.#retries = createRetryLog(logger);
  }

  /** @throws ApiError unavailable, as all of these do. */
  page(from: number, limits: PageLimits): Promise<JournalPage> {
    return this.#inTurn((journal) => readPage(journal, from, limits));
  }

  /** One that the read models show, so that it is there; of a type that has no private fields. */
  event(seq: number): Promise<CommandlessEvent> {
    return this.#inTurn(async (journal) => decodeEvent(await readOne(journal, seq)));
  }

  /** Of one that the read models show. */
  eventId(seq: number): Promise<string> {
    return this.#inTurn(async (journal) => (await readOne(journal, seq)).id);
  }

  headSeq(): Promise<number> {
    return this.#inTurn(async (journal) => (await journal.head()).seq);
  }

  async #inTurn<T>(read: (journal: ReadableJournal) => Promise<T>): Promise<T> {
    if (this.#waiting >= WAITING_MAX) throw unavailable('too many read the journal');
    this.#waiting += 1;
    const reading = this.#last.then(async () => read(await this.journal));
    this.#last = reading.catch(() => undefined);
    try {
      const read = await reading;
      this.#retries.works(CANNOT_READ);
      return read;
    } catch (error) {
      this.#retries.failed(CANNOT_READ, error);
      throw unavailable('the journal cannot be read');
    } finally {
      this.#waiting -= 1;
    }
  }
}

async function readOne(journal: ReadableJournal, seq: number): Promise<StoredEvent> {
  const [stored] = await journal.read(seq, 1);
  if (stored === undefined) throw new Error(`the journal has no event ${seq}`);
  return stored;
}

async function readPage(journal: ReadableJournal, from: number, limits: PageLimits): Promise<JournalPage> {
  const events: StoredEvent[] = [];
  let bytes = 0;
  for (;;) {
    const wanted = Math.min(CHUNK, limits.events - events.length);
    const chunk = await journal.read(from + events.length, wanted);
    for (const event of chunk) {
      events.push(event);
      bytes += Buffer.byteLength(event.publicText);
      if (events.length === limits.events || bytes >= limits.bytes) return { events, full: true };
    }
    if (chunk.length < wanted) return { events, full: false };
  }
}

function unavailable(what: string): ApiError {
  return new ApiError('unavailable', `${what} now; try again`, undefined, { 'Retry-After': '1' });
}
