import { ApiError, endpoints } from '@paper/contracts';
import { BookDelta, orderBookBody, RecentTrade } from '@paper/contracts/markets';
import type { OrderBookView } from '@paper/contracts/markets';
import { decodePublicEvent, isLinkedTo } from '@paper/journal';
import type { Journal, StoredEvent } from '@paper/journal';
import { BeingFilled, FRESHNESS_TIMEOUT_MS, Progress } from '@paper/read-models';
import type { BookChange, BookSource, JournalCheck, LiveBooks } from '@paper/read-models';
import { streamRoute } from '@paper/http';
import type { Authenticate, BeginStream, StreamRoute } from '@paper/http';
import { createRetryLog } from '@paper/runtime';
import type { Logger, Metrics, RetryLog } from '@paper/runtime';
import { BackOff, every, pause, systemClock } from '@paper/timing';
import type { Clock } from '@paper/timing';
import type { AccountFeed } from './account-feed.ts';
import { KEEP_ALIVE } from './account-watch.ts';
import { BookHistory } from './book-history.ts';
import type { DeliveryTrace } from './delivery-trace.ts';
import { PREAMBLE } from './event-text.ts';
import { lastEventId } from './last-event-id.ts';
import { Watchers } from './watchers.ts';

export interface BookStreamsSettings {
  readonly journal: Promise<Pick<Journal, 'follow'>>;
  readonly books: BookSource;
  readonly accounts?: Pick<AccountFeed, 'begin' | 'end' | 'take'>;
  readonly journalCheck?: Pick<JournalCheck, 'assertNone' | 'onDivergence'>;
  readonly authenticate: Authenticate;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly trace?: DeliveryTrace | null;
  /** The most open streams; further ones are answered with 503. Default 20,000. */
  readonly streamsMax?: number;
  /** A stream whose client has left more bytes than this unread is cut. Default 1 MiB, more than a whole snapshot. */
  readonly bufferedBytesMax?: number;
  readonly historyBytes?: number;
  readonly clock?: Clock;
}

const KEEP_ALIVE_MS = 15_000;
/** The beginning of a resumed stream. It ends its block, since no event may follow for a long time. */
const RESUMED = Buffer.concat([PREAMBLE, Buffer.from('\n')]);
/** More levels than a side can have: the prices from 0.0100 to 0.9900. */
const EVERY_LEVEL = 10_000;

interface OpenedAt {
  readonly isFresh: boolean;
  readonly lastSeq: number | null;
}

interface Feed {
  readonly books: LiveBooks;
  readonly history: BookHistory;
  readonly progress: Progress;
}

/**
 * Sends readers the order books of markets and every change of them. All books are in memory and follow the journal, so
 * no reader costs a query. A change is encoded once for all readers of its market.
 */
export class BookStreams {
  readonly routes: readonly StreamRoute[];
  /** Resolves when the books have been read for the first time, or the streams were stopped before. */
  readonly begun: Promise<void>;
  #onBegun: () => void = () => undefined;
  readonly #settings: BookStreamsSettings;
  readonly #watchers: Watchers;
  readonly #streamsMax: number;
  readonly #bufferedBytesMax: number;
  readonly #clock: Clock;
  readonly #retries: RetryLog;
  readonly #waits: RetryLog;
  #feed: Feed | null = null;
  readonly #snapshots = new WeakMap<OrderBookView, Buffer>();
  readonly #stopping = new AbortController();
  #diverged = new AbortController();
  #following: Promise<void> = Promise.resolve();
  #stopKeepAlive = (): void => undefined;
  #stopChecking = (): void => undefined;

  constructor(settings: BookStreamsSettings) {
    const { clock = systemClock, metrics } = settings;
    this.#settings = settings;
    this.begun = new Promise((resolve) => (this.#onBegun = resolve));
    this.#streamsMax = settings.streamsMax ?? 20_000;
    this.#bufferedBytesMax = settings.bufferedBytesMax ?? 1024 * 1024;
    this.#clock = clock;
    this.#retries = createRetryLog(settings.logger);
    this.#waits = createRetryLog({ warn: settings.logger.info.bind(settings.logger) });
    const dropped = metrics.counter('paper_book_stream_dropped_total', 'Streams of order books cut: they did not read');
    this.#watchers = new Watchers(this.#bufferedBytesMax, () => dropped.inc());
    metrics.gauge('paper_book_streams', 'Open streams of order books', {
      collect: (gauge) => gauge.set(this.#watchers.count),
    });
    this.routes = [
      streamRoute(
        endpoints.streamOrderBook,
        (_caller, { params, lastEventIds, isFresh }, begin) =>
          this.#open(params.marketId, { isFresh, lastSeq: lastEventId(lastEventIds) }, begin),
        settings.authenticate,
      ),
    ];
  }

  start(): void {
    this.#stopChecking = this.#settings.journalCheck?.onDivergence(() => this.#diverged.abort()) ?? this.#stopChecking;
    this.#stopKeepAlive = every(KEEP_ALIVE_MS, () => this.#watchers.spreadToAll(KEEP_ALIVE), this.#clock);
    this.#following = this.#follow();
  }

  /** Ends every stream at once and refuses new ones; resolves when the journal is no longer followed. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#onBegun();
    this.#stopKeepAlive();
    this.#stopChecking();
    this.#watchers.end();
    await this.#following;
  }

  async #open(marketId: string, { isFresh, lastSeq }: OpenedAt, begin: BeginStream): Promise<void> {
    if (this.#watchers.count >= this.#streamsMax) {
      throw new ApiError('unavailable', 'Too many are watching; try again later', 503, { 'retry-after': '10' });
    }
    const ended = this.#assertServing().books.view(marketId) === null ? await this.#findEnded(marketId) : null;
    if (isFresh) await this.#assertReached(await this.#settings.books.newest());
    const feed = this.#assertServing();
    const book = ended ?? feed.books.view(marketId);
    if (book === null) throw beingRead();
    feed.history.remember(marketId);
    const first = (lastSeq === null ? null : this.#missed(feed, marketId, lastSeq)) ?? this.#snapshot(book);
    const stream = begin(feed.books.seq, first, () => this.#watchers.remove([marketId], stream));
    this.#watchers.add([marketId], stream);
  }

  /** The empty book of a market that ended before the books began; else null, once the books are as far as it. */
  async #findEnded(marketId: string): Promise<OrderBookView | null> {
    const found = await this.#settings.books.find(marketId);
    if (found === null) throw new ApiError('market_not_found', `No market has the id ${marketId}`);
    if (found.ended === null) await this.#assertReached(found.seq);
    return found.ended;
  }

  async #assertReached(seq: number): Promise<void> {
    if (!(await this.#assertServing().progress.reached(seq, FRESHNESS_TIMEOUT_MS))) throw beingRead();
  }

  /** The changes that a reader missed; null if some have been dropped, or are more than a reader is sent at once. */
  #missed({ books, history }: Feed, marketId: string, lastSeq: number): Buffer | null {
    if (lastSeq > books.seq || !books.isLive(marketId)) return null;
    const missed = history.since(marketId, lastSeq);
    return missed === null || missed.length > this.#bufferedBytesMax / 2 ? null : Buffer.concat([RESUMED, missed]);
  }

  #snapshot(book: OrderBookView): Buffer {
    const known = this.#snapshots.get(book);
    if (known !== undefined) return known;
    const text = eventText('snapshot', orderBookBody(book, EVERY_LEVEL), book.seq);
    const bytes = Buffer.concat([PREAMBLE, Buffer.from(text)]);
    this.#snapshots.set(book, bytes);
    return bytes;
  }

  #assertServing(): Feed {
    if (this.#stopping.signal.aborted) throw new ApiError('unavailable', 'The service is stopping');
    this.#settings.journalCheck?.assertNone();
    if (this.#feed === null) throw beingRead();
    return this.#feed;
  }

  /** Follows the journal until the stop. After a failure the books are reloaded and streams end. */
  async #follow(): Promise<void> {
    const { signal: stopping } = this.#stopping;
    const stopped = new Promise<null>((resolve) => stopping.addEventListener('abort', () => resolve(null)));
    const backOff = new BackOff();
    while (!stopping.aborted) {
      this.#diverged = new AbortController();
      try {
        const books = await this.#settings.books.load();
        this.#feed = this.#feedOf(books);
        this.#settings.accounts?.begin(books);
        this.#onBegun();
        // The books can be read before the journal: while it is unreachable, nothing changes them.
        const journal = await Promise.race([this.#settings.journal, stopped]);
        if (journal === null) return;
        await this.#followFrom(this.#feed, journal, AbortSignal.any([stopping, this.#diverged.signal]), backOff);
      } catch (error) {
        // Until new read models are filled there are no books to follow, which is not a failure.
        if (error instanceof BeingFilled) this.#waits.failed('the order books wait', error.message);
        else this.#retries.failed('the order books cannot be followed', error);
      }
      this.#feed = null;
      this.#settings.accounts?.end();
      this.#watchers.end();
      await pause(backOff.next(), { clock: this.#clock, signal: stopping });
    }
  }

  #feedOf(books: LiveBooks): Feed {
    const progress = new Progress();
    progress.set(books.seq);
    const history = new BookHistory(books.sequences(), this.#settings.historyBytes ?? 32 * 1024 * 1024);
    return { books, history, progress };
  }

  /** Follows the journal until the signal aborts. @throws Error for a page that does not follow on the one before. */
  async #followFrom(feed: Feed, journal: Pick<Journal, 'follow'>, signal: AbortSignal, backOff: BackOff) {
    let lastHash: string | null = null;
    for await (const page of journal.follow(feed.books.seq + 1, { signal })) {
      const [first] = page;
      if (lastHash !== null && first !== undefined && !isLinkedTo(lastHash, first)) {
        throw new Error(`the journal was replaced: sequence ${first.seq} does not follow what was read before it`);
      }
      lastHash = page.at(-1)?.hash ?? lastHash;
      this.#take(page, feed);
      backOff.reset();
    }
  }

  #take(page: readonly StoredEvent[], { books, history, progress }: Feed): void {
    const { trace = null } = this.#settings;
    trace?.note(page);
    const startMs = trace?.now() ?? 0;
    const sent: number[] = [];
    const byMarket = new Map<string, Buffer[]>();
    for (const stored of page) {
      for (const change of books.apply(decodePublicEvent(stored))) {
        if (trace !== null && this.#watchers.isWatched([change.marketId])) sent.push(change.seq);
        if (!history.isRemembered(change.marketId)) {
          history.skip(change.marketId, change.seq);
          continue;
        }
        const bytes = changeBytes(change);
        history.add(change.marketId, change.seq, bytes);
        const ofMarket = byMarket.get(change.marketId);
        if (ofMarket === undefined) byMarket.set(change.marketId, [bytes]);
        else ofMarket.push(bytes);
      }
    }
    // The accounts of makers and takers get the events first, then everybody else.
    this.#settings.accounts?.take(page);
    for (const [marketId, changes] of byMarket) this.#watchers.send([marketId], Buffer.concat(changes));
    trace?.sent('orderbook', sent, startMs);
    progress.set(books.seq);
  }
}

function beingRead(): ApiError {
  return new ApiError('unavailable', 'The order books are being read; try again', 503, { 'retry-after': '1' });
}

function changeBytes({ at, levels, seq, trades }: BookChange): Buffer {
  const events = [
    ...levels.map((level) => ['delta', BookDelta.body({ ...level, at, seq })] as const),
    ...trades.map((trade) => ['trade', RecentTrade.body(trade)] as const),
  ];
  return Buffer.from(
    events.map(([type, body], index) => eventText(type, body, index === events.length - 1 ? seq : null)).join(''),
  );
}

/** Formats an event. `seq`: null for an event without an id. JSON text has no line breaks, so the data is one line. */
function eventText(type: string, body: unknown, seq: number | null): string {
  return `event: ${type}\n${seq === null ? '' : `id: ${seq}\n`}data: ${JSON.stringify(body)}\n\n`;
}
