import { PRICE_UNITS_MAX, PRICE_UNITS_MIN } from '@paper/exchange';
import { SHARE_UNITS } from '@paper/exchange/vocabulary';
import { ListMarketInput, withoutRefused } from '@paper/contracts/operator';
import { z } from 'zod';
import { FORMATS } from './formats/index.ts';
import type { LineReader, Message, TapeFormat } from './format.ts';
import { TradeJoiner } from './join-trades.ts';
import type { Entry } from './join-trades.ts';
import { MarketBook } from './market-book.ts';
import type { TradeCounts } from './market-book.ts';
import { parseNews } from './news.ts';
import { Skips, TapeRefused } from './skips.ts';
import type { Place, SkipReason } from './skips.ts';
import type { TapeSource } from './tape-files.ts';
import type { DescribedMarket } from './tape-json.ts';
import type { Level, NewsEvent, OutcomeEvent, TapeEvent } from './tape-event.ts';

/** The most markets of a tape, since the book of each is in memory. */
const MARKETS_MAX = 1_000;
const TIME_MAX = 253_402_300_799_999;
const TICKS = [100, 10, 1] as const;

const Listed = z.object({
  // Journals with earlier rules contain titles that a listing refuses today.
  title: z
    .string()
    .transform((title) => withoutRefused(title, false))
    .exactOptional(),
  closesAtMs: z.int().min(0).max(TIME_MAX).exactOptional(),
  tickUnits: z.literal(TICKS).exactOptional(),
  priorUnits: z.int().min(PRICE_UNITS_MIN).max(PRICE_UNITS_MAX).exactOptional(),
});

export interface LineCounts {
  /** Lines that are not empty. */
  read: number;
  /** The number of lines about something other than a book, a trade or an outcome. */
  other: number;
  /** Lines of which every part was skipped. */
  skipped: number;
}

/** What a tape says about one of its markets. */
export interface TapeMarket {
  readonly book: MarketBook;
  readonly described: DescribedMarket | null;
  listed: z.output<typeof Listed>;
  /** The coarsest tick of all prices so far. */
  tickUnits: number;
  /** Twice the first midpoint, in units; null before there is one. */
  firstMidpoint: number | null;
}

/** Reads a tape once, from the first line to the last. */
export class TapeReader {
  readonly lines: LineCounts = { read: 0, other: 0, skipped: 0 };
  readonly trades: TradeCounts = { joined: 0, alone: 0, inferred: 0, noSide: 0 };
  readonly skips = new Skips();
  readonly markets = new Map<string, TapeMarket>();
  format: TapeFormat | null = null;
  #reader: LineReader | null = null;
  readonly #joiner = new TradeJoiner();
  #nowMs: number | null = null;
  /** News, and the outcomes of tape.json, by their times. */
  readonly #scheduled: (NewsEvent | OutcomeEvent)[];
  /** The time of the last of them that was given. */
  #scheduledMs = 0;
  readonly #settled = new Set<string>();

  /** `tickOf`: a market's tick, found by a first reading, for the invented order book of a tape that has only trades. */
  constructor(
    private readonly source: TapeSource,
    private readonly tickOf: (market: string) => number = () => TICKS[0],
  ) {
    const outcomes = [...source.described].flatMap(([market, { outcome, settlesAtMs, voidUnits }]): OutcomeEvent[] =>
      outcome === null
        ? []
        : [{ kind: 'outcome', atMs: settlesAtMs ?? Number.POSITIVE_INFINITY, market, outcome, priceUnits: voidUnits }],
    );
    const news = source.news === null ? [] : parseNews(source.news, this.skips);
    this.#scheduled = [...news, ...outcomes].sort((a, b) => (a.atMs === b.atMs ? 0 : a.atMs - b.atMs));
  }

  /** The tape's events in the common format. @throws TapeRefused for too many markets */
  async *events(): AsyncGenerator<TapeEvent> {
    let place: Place = { file: '', line: 0 };
    for await (const { file, isCut, lines } of this.source.lines()) {
      if (file !== place.file) place = { file, line: 0 };
      for (const line of lines) {
        place = { file, line: place.line + 1 };
        if (line === null || line.trim() !== '') for (const event of this.#take(line, place)) yield event;
      }
      if (isCut === true) this.skips.add('cut', place);
    }
    for (const entry of this.#joiner.flush()) for (const event of this.#play(entry)) yield event;
    for (const event of this.#scheduledUntil(Number.POSITIVE_INFINITY, true)) yield event;
  }

  *#take(line: string | null, place: Place): Generator<TapeEvent> {
    this.lines.read += 1;
    const messages = line === null ? null : (this.#readerOf(line)?.(line) ?? null);
    if (messages === null) this.skips.add(line === null ? 'too_long' : 'no_message', place);
    if (messages?.length === 0) this.lines.other += 1;
    let taken = messages?.length === 0;
    for (const message of messages ?? []) {
      const entry = this.#entryOf(message, place);
      taken ||= entry !== null;
      if (entry === null || entry.message.kind === 'listed') continue;
      for (const ready of this.#joiner.push(entry)) yield* this.#play(ready);
    }
    if (!taken) this.lines.skipped += 1;
  }

  #readerOf(line: string): LineReader | null {
    this.format ??= FORMATS.find((format) => format.recognizes(line)) ?? null;
    return (this.#reader ??= this.format?.createReader() ?? null);
  }

  /** The message without its skipped parts, with its time and place; null if nothing is left. */
  #entryOf(read: Message, place: Place): Entry | null {
    const skip = (reason: SkipReason): null => {
      this.skips.add(reason, place);
      return null;
    };
    const market = this.#marketOf(read.market);
    if (market === null || typeof read.market !== 'string') return skip('market');
    const readMs = read.atMs === null ? this.#nowMs : Math.floor(read.atMs);
    if (readMs === null || !(readMs >= 0 && readMs <= TIME_MAX)) return skip('no_time');
    const message = checked(read, market.described?.tickUnits ?? 1, skip);
    if (message === null) return null;
    this.markets.set(read.market, market);
    if (this.markets.size > MARKETS_MAX) {
      throw new TapeRefused(`${this.source.id} is refused: it has more than ${MARKETS_MAX} markets.`);
    }
    if (message.kind === 'listed') market.listed = { ...market.listed, ...Listed.parse(message) };
    for (const { priceUnits } of pricesOf(message)) {
      market.tickUnits = TICKS.find((tick) => tick <= market.tickUnits && priceUnits % tick === 0) ?? 1;
    }
    this.#nowMs = Math.max(readMs, this.#nowMs ?? 0);
    return { atMs: this.#nowMs, joined: null, market: read.market, message, place };
  }

  /** The market with this id; null for an id that no market can have. */
  #marketOf(id: unknown): TapeMarket | null {
    const known = this.markets.get(id as string);
    if (known !== undefined) return known;
    if (typeof id !== 'string' || !ListMarketInput.shape.id.safeParse(id).success) return null;
    return {
      book: new MarketBook(this.trades, (reason, { place }) => this.skips.add(reason, place)),
      described: this.source.described.get(id) ?? null,
      firstMidpoint: null,
      listed: {},
      tickUnits: TICKS[0],
    };
  }

  *#play(entry: Entry): Generator<TapeEvent> {
    yield* this.#scheduledUntil(entry.atMs, false);
    const market = this.markets.get(entry.market);
    if (market === undefined) return;
    if (this.#settled.has(entry.market)) {
      this.skips.add('after_settlement', entry.place);
      return;
    }
    yield* this.#eventsOf(entry, market.book);
    market.firstMidpoint ??= market.book.midpointHalfUnits();
  }

  *#eventsOf(entry: Entry, book: MarketBook): Generator<TapeEvent> {
    const { atMs, market, message } = entry;
    switch (message.kind) {
      case 'levels':
        yield* book.levels({ ...entry, message });
        return;
      case 'change':
        yield* book.change({ ...entry, message });
        return;
      case 'trade':
        if (this.format?.synthetic !== true) yield* book.trade({ ...entry, message });
        else yield* book.tradeOnLadder({ ...entry, message }, this.tickOf(market));
        return;
      case 'outcome':
        this.#settled.add(market);
        yield { kind: 'outcome', atMs, market, outcome: message.outcome, priceUnits: message.priceUnits };
        return;
      case 'listed':
    }
  }

  /** Yields news and outcomes up to a time. An outcome comes after the last event of its market. */
  *#scheduledUntil(atMs: number, isEnd: boolean): Generator<NewsEvent | OutcomeEvent> {
    for (let next = this.#scheduled[0]; next !== undefined; next = this.#scheduled[0]) {
      if (!isEnd && (next.kind === 'news' ? next.atMs > atMs : next.atMs >= atMs)) return;
      this.#scheduled.shift();
      // An outcome without a time comes with the last line, or with later news.
      const at = Number.isFinite(next.atMs) ? next.atMs : Math.max(this.#nowMs ?? 0, this.#scheduledMs);
      this.#scheduledMs = at;
      if (next.kind === 'news') yield next;
      else if (!this.#settled.has(next.market) && this.markets.has(next.market)) yield { ...next, atMs: at };
      if (next.kind === 'outcome') this.#settled.add(next.market);
    }
  }
}

function pricesOf(message: Message): readonly { readonly priceUnits: number }[] {
  if (message.kind === 'levels') return [...message.bids, ...message.asks];
  return message.kind === 'change' || message.kind === 'trade' ? [message] : [];
}

/** The message without the parts that cannot be played, each of which is skipped; null if nothing is left. */
function checked(message: Message, tickUnits: number, skip: (reason: SkipReason) => null): Message | null {
  const isPrice = (units: number): boolean => {
    if (!Number.isInteger(units) || units < PRICE_UNITS_MIN || units > PRICE_UNITS_MAX) skip('price');
    else if (units % tickUnits !== 0) skip('off_tick');
    else return true;
    return false;
  };
  const isLevel = ({ priceUnits, sizeMicros }: Level): boolean => {
    if (!isPrice(priceUnits)) return false;
    if (!Number.isSafeInteger(sizeMicros)) skip('size');
    else if (sizeMicros < 0) skip('below_zero');
    else return sizeMicros !== 0;
    return false;
  };
  switch (message.kind) {
    case 'levels':
      return { ...message, bids: message.bids.filter(isLevel), asks: message.asks.filter(isLevel) };
    case 'change':
      if (!isPrice(message.priceUnits)) return null;
      return Number.isSafeInteger(message.deltaMicros) ? message : skip('size');
    case 'trade':
      if (!isPrice(message.priceUnits)) return null;
      return Number.isSafeInteger(message.sizeMicros) && message.sizeMicros > 0 ? message : skip('size');
    case 'outcome':
      if (message.outcome !== 'void') return message;
      return Number.isInteger(message.priceUnits) &&
        Math.abs(2 * Number(message.priceUnits) - SHARE_UNITS) <= SHARE_UNITS
        ? message
        : skip('price');
    case 'listed':
      return Listed.safeParse(message).success ? message : skip('no_message');
  }
}
