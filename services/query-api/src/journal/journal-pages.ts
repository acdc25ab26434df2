import { ApiError, type Client, type SerializedBytes } from '@paper/contracts';
import { LruCache } from '@paper/read-models';
import { createRetryLog, FairSlots, type Logger, type RetryLog } from '@paper/service-kit';
import type { PageBytes, PageRequest, PageSource } from './page-bytes.ts';

/** A page with the bytes that are sent of it. */
export interface JournalPage extends Pick<PageBytes, 'seq' | 'next'> {
  readonly ready: SerializedBytes;
}

const CANNOT_MAKE = 'a page of the journal could not be made';

/** Full pages that are kept: some 100,000 events. */
const LIMITS = { answers: 1_000, bytes: 128 * 1024 * 1024 };
/** What a page takes, beside itself, once it is compressed; it compresses to a fifth. */
const WITH_COMPRESSED = 1.25;

/**
 * Pages of the public journal. A full page never changes: its bytes are kept, and one making serves all who ask for it
 * meanwhile. Whoever is not served from memory waits in turn, by address; one page is made at a time, so that copies of
 * the journal take little from who trades.
 */
export class JournalPages {
  readonly #cache = new LruCache<JournalPage>(LIMITS);
  readonly #making = new Map<string, Promise<JournalPage>>();
  readonly #slots = new FairSlots({
    atOnce: 1,
    atOncePerAccount: 1,
    waiting: 500,
    waitingPerAccount: 50,
    waitMs: 8_000,
    what: 'the journal',
  });
  /** The journal is known to have gone this far. */
  #known = 0;

  readonly #retries: RetryLog;

  constructor(
    private readonly source: PageSource,
    logger: Logger,
  ) {
    this.#retries = createRetryLog(logger);
  }

  /** @throws ApiError unavailable, and rate_limited where too many requests of the address wait. */
  async page(request: PageRequest, client: Client): Promise<JournalPage> {
    const key = `${request.from} ${request.limit}`;
    const kept = this.#cache.get(key);
    if (kept !== undefined) return kept;
    // What is before the journal's end is the same whenever it is read; at its end each looks for itself.
    const isPast = request.from + request.limit - 1 <= this.#known;
    if (!isPast) return this.#make(key, request, client);
    const underWay = this.#making.get(key);
    // It may have ended because its first client went.
    if (underWay !== undefined) return underWay.catch(() => this.#make(key, request, client));
    const making = this.#make(key, request, client).finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  async #make(key: string, request: PageRequest, { address, signal }: Client): Promise<JournalPage> {
    const made = await this.#slots.use({ fleet: address, account: address }, signal, (stop) =>
      this.source.page(request, stop).catch((error: unknown) => {
        if (stop.aborted) throw error;
        this.#retries.failed(CANNOT_MAKE, error);
        throw new ApiError('unavailable', 'the journal cannot be read now; try again', undefined, {
          'Retry-After': '1',
        });
      }),
    );
    this.#retries.works(CANNOT_MAKE);
    const { bytes, etag, seq, next } = made;
    const page = { ready: { bytes: Buffer.from(bytes.buffer), etag }, seq, next };
    this.#known = Math.max(this.#known, seq);
    if (next !== null) this.#cache.set(key, page, Math.ceil(WITH_COMPRESSED * bytes.length));
    return page;
  }
}
