import { Unavailable } from '@paper/contracts';
import type { Client, SerializedBytes } from '@paper/contracts';
import { LruCache } from '@paper/read-models';
import { FairSlots } from '@paper/http';
import { createRetryLog } from '@paper/runtime';
import type { Logger, RetryLog } from '@paper/runtime';
import type { PageBytes, PageRequest, PageSource } from './page-bytes.ts';

export interface JournalPage extends Pick<PageBytes, 'seq' | 'next'> {
  readonly ready: SerializedBytes;
}

const CANNOT_MAKE = 'a page of the journal could not be made';

/** The limits of cached full pages: some 100,000 events. */
const LIMITS = { answers: 1_000, bytes: 128 * 1024 * 1024 };
/** The factor for a page with its compressed copy, which has a fifth to a quarter of its bytes. */
const WITH_COMPRESSED = 1.25;

/**
 * Serves pages of the public journal. A full page never changes, so it is cached, and requests for it share one read.
 * Others take turns by address, one page at a time, so that copying the journal hardly slows traders down.
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
  #knownSeq = 0;

  readonly #retries: RetryLog;

  constructor(
    private readonly source: PageSource,
    logger: Logger,
  ) {
    this.#retries = createRetryLog(logger);
  }

  /** @throws Unavailable; RateLimited when too many requests of the address wait. */
  async page(request: PageRequest, client: Client): Promise<JournalPage> {
    const key = `${request.from} ${request.limit}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    // A page before the journal's end never changes; at the end each request reads for itself.
    const isPast = request.from + request.limit - 1 <= this.#knownSeq;
    if (!isPast) return this.#make(key, request, client);
    const inFlight = this.#making.get(key);
    // The read in flight may have failed because its first client disconnected.
    if (inFlight !== undefined) return inFlight.catch(() => this.#make(key, request, client));
    const making = this.#make(key, request, client).finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  async #make(key: string, request: PageRequest, { address, signal }: Client): Promise<JournalPage> {
    const made = await this.#slots.use({ fleet: address, account: address }, signal, (stop) =>
      this.source.page(request, stop).catch((error: unknown) => {
        if (stop.aborted) throw error;
        this.#retries.failed(CANNOT_MAKE, error);
        throw new Unavailable('the journal cannot be read now; try again');
      }),
    );
    this.#retries.works(CANNOT_MAKE);
    const { bytes, etag, seq, next } = made;
    const page = { ready: { bytes: Buffer.from(bytes.buffer), etag }, seq, next };
    this.#knownSeq = Math.max(this.#knownSeq, seq);
    if (next !== null) this.#cache.set(key, page, Math.ceil(WITH_COMPRESSED * bytes.length));
    return page;
  }
}
