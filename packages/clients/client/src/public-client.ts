import type { BacktestClock } from './backtest-clock.ts';
import { bookStream, pulseStream } from './backtest-streams.ts';
import { Calls } from './calls.ts';
import type { AnswerOf, CallOptions } from './calls.ts';
import { Unreachable } from './errors.ts';
import type * as Api from './generated/api.ts';
import type { OrderBookEvent } from './live-order-book.ts';
import { operationName, operationPath } from './operation-path.ts';
import type { RequestParts } from './operation-path.ts';
import type { Pages } from './pages.ts';
import { checkReceipt } from './receipts.ts';
import type { Receipt, VerifiedReceipt } from './receipts.ts';
import { Watch } from './watch.ts';
import type { WatchOptions } from './watch.ts';

/** The filters of a list, as the API names them. */
export type ListQuery<Id extends keyof Api.Operations> = Api.Operations[Id] extends { readonly query: infer Q }
  ? Omit<Q, 'cursor' | 'format'>
  : never;

/** A pulse: a snapshot of its markets at one moment. */
export type PulseEvent<D = number> = Api.Pulse<D> & {
  /** The journal sequence of the snapshot. */
  readonly seq: number;
  /** Whether this is the first pulse after a connection was lost. */
  readonly resumed: boolean;
};

const PULSE_SILENT_MS = 10_000;
/** The number of markets in a pulse that names none. */
const PULSE_MARKETS = 50;
/** The silence after which a stream counts as dead: more than twice the time between two comments. */
const SILENT_MS = 35_000;

/** The calls that need no key: about markets, their books and history, the platform, and the journal. */
export class PublicClient<D = number> extends Calls<D> {
  /** The health of the service. */
  fetchHealth(options?: CallOptions): Promise<Api.Health> {
    return this.call('getHealth', {}, options);
  }

  /** The OpenAPI document of the service. */
  fetchOpenApi(options?: CallOptions): Promise<AnswerOf<'getOpenApi'>> {
    return this.call('getOpenApi', {}, options);
  }

  /** Markets by status, sector, company or text; the newest listing first. */
  fetchMarkets(query: ListQuery<'listMarkets'> = {}, options?: CallOptions): Pages<Api.Market<D>> {
    return this.pages('listMarkets', { query }, (markets) => markets, options);
  }

  /** One market. @throws MarketNotFound */
  fetchMarket(marketId: string, options?: CallOptions): Promise<Api.Market<D>> {
    return this.call('getMarket', { params: { id: marketId } }, options);
  }

  /** A market's book, now or as of a journal sequence; at most 200 levels a side. */
  fetchOrderBook(
    marketId: string,
    query: ListQuery<'getOrderBook'> = {},
    options?: CallOptions,
  ): Promise<Api.OrderBook<D>> {
    return this.call('getOrderBook', { params: { marketId }, query }, options);
  }

  /** A market's candles of the YES price, oldest first. `period` is in minutes. */
  fetchOHLCV(marketId: string, query: ListQuery<'getMarketCandles'>, options?: CallOptions): Pages<Api.Candle<D>> {
    return this.pages('getMarketCandles', { params: { id: marketId }, query }, ({ candles }) => candles, options);
  }

  /** A market's signals, trades and resolution with citations; each page is oldest first, and older than the last. */
  fetchTimeline(
    marketId: string,
    query: ListQuery<'getMarketEvents'> = {},
    options?: CallOptions,
  ): Pages<Api.TimelineEntry<D>> {
    return this.pages('getMarketEvents', { params: { id: marketId }, query }, ({ timeline }) => timeline, options);
  }

  /** Moments of a market's history, with the sequences for `asOfSeq`. */
  fetchMoments(marketId: string, query: ListQuery<'listMoments'> = {}, options?: CallOptions): Promise<Api.Moments<D>> {
    return this.call('listMoments', { params: { id: marketId }, query }, options);
  }

  /** Trades of all markets or of one, newest first. */
  fetchTrades(query: ListQuery<'listRecentTrades'> = {}, options?: CallOptions): Pages<Api.RecentTrade<D>> {
    return this.pages('listRecentTrades', { query }, (trades) => trades, options);
  }

  /** Every trade of all markets or of one, oldest first, for research. */
  downloadTrades(query: ListQuery<'downloadTrades'> = {}, options?: CallOptions): Pages<Api.Trade<D>> {
    return this.pages('downloadTrades', { query }, (trades) => trades, options);
  }

  /** Accounts by portfolio value. */
  fetchLeaderboard(query: ListQuery<'getLeaderboard'> = {}, options?: CallOptions): Pages<Api.LeaderboardEntry<D>> {
    return this.pages('getLeaderboard', { query }, (entries) => entries, options);
  }

  /** An account's public results, and its value since its opening, or since `from`. */
  fetchTrader(accountId: string, query: ListQuery<'getTrader'> = {}, options?: CallOptions): Promise<Api.Trader<D>> {
    return this.call('getTrader', { params: { id: accountId }, query }, options);
  }

  /** Figures of the last 24 h, and the newest trades, signals, listings and resolutions. */
  fetchActivity(options?: CallOptions): Promise<Api.Activity> {
    return this.call('getActivity', {}, options);
  }

  /** The public journal, event by event, from a sequence on. */
  fetchJournal(query: ListQuery<'readJournal'> = {}, options?: CallOptions): Pages<Api.JournalLine> {
    return this.pages('readJournal', { query }, (lines) => lines, options);
  }

  /** The sequences of an order's events in the public journal. */
  fetchOrderSequences(
    orderId: string,
    query: ListQuery<'getOrderSequences'> = {},
    options?: CallOptions,
  ): Pages<number> {
    return this.pages('getOrderSequences', { params: { id: orderId }, query }, ({ seqs }) => seqs, options);
  }

  /**
   * Checks a receipt, by default the newest of this client, against the public journal: its event is there, and the
   * event's text and the event before it give its hash. @throws ReceiptFault when the journal contradicts the receipt
   */
  async verifyReceipt(
    receipt: Pick<Receipt, 'seq' | 'hash'> | undefined = this.receipts.at(-1),
    options?: CallOptions,
  ): Promise<VerifiedReceipt> {
    if (receipt === undefined) throw new RangeError('This client has no receipt yet: pass one.');
    const from = Math.max(1, receipt.seq - 1);
    const lines = await this.fetchJournal({ from, limit: 2 }, options);
    const before = receipt.seq === 1 ? null : (lines[0] ?? null);
    return checkReceipt(receipt, lines[receipt.seq - from], before);
  }

  /**
   * The prices of markets every 2 seconds: of the given markets, else of the 50 most active. Each pulse is complete, so
   * a stream that was cut misses only pulses that a newer one replaces.
   */
  watchPulse(query: { readonly marketIds?: readonly string[] } = {}, options: WatchOptions = {}): Watch<PulseEvent<D>> {
    const { marketIds } = query;
    return this.watch(
      {
        backtest: this.backtestStream((clock, signal) =>
          Promise.resolve(pulseStream(clock, signal, () => this.#readPulse(clock, marketIds))),
        ),
        name: operationName('streamMarkets'),
        path: operationPath('streamMarkets', { query: { marketIds: marketIds?.join(',') } }),
        resumes: false,
        silentMs: PULSE_SILENT_MS,
        isWhole: () => true,
        toItem: ({ data }, seq, resumed) => {
          const pulse = this.decimal(data, 'streamMarkets') as Api.Pulse<D>;
          return { ...pulse, seq, resumed };
        },
      },
      options,
    );
  }

  /**
   * Every change of a market's book, each once and in order: a snapshot, then deltas and trades. After a cut it resumes
   * with the next change, or with a new snapshot. LiveOrderBook builds a book from the events.
   */
  watchOrderBook(marketId: string, options: WatchOptions = {}): Watch<OrderBookEvent<D>> {
    return this.watch(
      {
        backtest: this.backtestStream((clock, signal) =>
          Promise.resolve(bookStream(clock, signal, (seq) => this.#readBook(clock, marketId, seq))),
        ),
        name: operationName('streamOrderBook'),
        path: operationPath('streamOrderBook', { params: { marketId } }),
        resumes: true,
        silentMs: SILENT_MS,
        isWhole: (type) => type === 'snapshot',
        toItem: ({ data, type }, _seq, resumed) =>
          ({ ...(this.decimal(data, 'streamOrderBook') as object), type, resumed }) as OrderBookEvent<D>,
      },
      options,
    );
  }

  async #readPulse(
    clock: BacktestClock,
    ids: readonly string[] | undefined,
  ): Promise<{ seq: number; markets: readonly unknown[]; ts?: string }> {
    if (clock.isFeedLate) {
      const { data, seq } = await this.#shown(clock, 'streamMarkets', { query: { marketIds: ids?.join(',') } });
      return { ...(data as Api.Pulse), seq };
    }
    const markets =
      ids === undefined
        ? await this.fetchMarkets({ sort: 'activity', limit: PULSE_MARKETS })
        : await Promise.all(ids.map((id) => this.fetchMarket(id)));
    const entries = markets.map(
      ({ bestYesAsk, bestYesBid, id, lastTradePrice, probability, seq, status, volume }): Api.PulseEntry<D> => {
        return { id, probability, bestYesBid, bestYesAsk, lastTradePrice, volume, status, seq };
      },
    );
    return { seq: this.journalSeq, markets: entries };
  }

  /** A book, and its trades after `seq`, oldest first. With `seq` null there are no trades. */
  async #readBook(
    clock: BacktestClock,
    marketId: string,
    seq: number | null,
  ): Promise<{ book: Pick<Api.OrderBook<D>, 'seq'>; trades: readonly unknown[] }> {
    const book = clock.isFeedLate
      ? ((await this.#shown(clock, 'streamOrderBook', { params: { marketId } })).data as Api.OrderBook)
      : await this.fetchOrderBook(marketId);
    const trades: Api.RecentTrade<D>[] = [];
    if (seq === null || book.seq === seq) return { book, trades };
    for await (const trade of this.fetchTrades({ marketId })) {
      if (trade.seq <= seq) break;
      // The book of a late feed does not show a newer trade yet.
      if (trade.seq <= book.seq) trades.unshift(trade);
    }
    return { book, trades };
  }

  /** Reads the first message of a stream, and closes it. With `feedLatencyMs` it is older than what reads show. */
  #shown(
    clock: BacktestClock,
    id: 'streamMarkets' | 'streamOrderBook',
    request: RequestParts,
  ): Promise<{ readonly data: unknown; readonly seq: number }> {
    const stream = this.watch(
      {
        ...{ name: operationName(id), path: operationPath(id, request), resumes: false, silentMs: SILENT_MS },
        isWhole: () => true,
        toItem: ({ data }, seq) => ({ data, seq }),
      },
      {},
    );
    const first = async () => {
      for await (const item of stream) return item;
      throw new Unreachable(`${operationName(id)}: the client has ended.`);
    };
    return clock.send(first, false);
  }

  protected watch<T>(
    { path, ...kind }: Omit<ConstructorParameters<typeof Watch<T>>[0], 'open'> & { readonly path: string },
    options: WatchOptions,
  ): Watch<T> {
    const signals = [options.signal, this.options.signal].filter((one) => one !== undefined);
    return new Watch(
      { ...kind, open: (lastSeq, signal) => this.openStream(path, lastSeq, signal) },
      { ...options, signal: signals.length > 1 ? AbortSignal.any(signals) : signals[0] },
    );
  }
}
