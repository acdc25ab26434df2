import { z } from 'zod';
import { namedObject } from '../answer.ts';
import { count, money } from '../numbers.ts';
import { timestamp } from '../text.ts';
import { DAY_MS, dollars, iso, MINUTE_MS, UNITS_PER_DOLLAR } from '../units.ts';

/** The lengths of candles' periods in minutes; each is a multiple of the previous one. */
export const CANDLE_PERIODS = [1, 5, 15, 60, 1440] as const;
export type CandlePeriod = (typeof CANDLE_PERIODS)[number];

export const CANDLE_LIMIT = 500;
export const CANDLE_LIMIT_MAX = 5_000;

/** A candle period in a query. It arrives and stays as text, so that cursors of the same list are the same. */
export const candlePeriodText = z
  .enum(CANDLE_PERIODS.map(String))
  .meta({ type: 'integer', enum: [...CANDLE_PERIODS], description: 'The period of a candle in minutes.' });

function closingQuote(side: 'ask' | 'bid') {
  return money
    .nullable()
    .describe(`The best YES ${side} after the last event before the period's end; null: there was none.`);
}

export const Candle = namedObject('Candle', {
  start: timestamp.describe('The start of the period: a multiple of the period since 1970 UTC.'),
  open: money.describe('The first price; without a trade in the period the close before it.'),
  high: money,
  low: money,
  close: money.describe('The last price. In the period that is under way, the last one so far.'),
  volume: count.describe('The number of shares traded.'),
  trades: count.describe('The number of trades; 0 where the prices are those of an earlier trade.'),
  yesBidClose: closingQuote('bid'),
  yesAskClose: closingQuote('ask'),
});

export const Candles = namedObject('Candles', {
  marketId: z.string(),
  period: z.literal(CANDLE_PERIODS).meta({ type: 'integer', enum: [...CANDLE_PERIODS], description: 'Minutes.' }),
  candles: z.array(Candle),
});

export type CandleBody = z.output<typeof Candle>;
export type CandlesBody = z.output<typeof Candles>;

/** A candle of the YES price in units. */
export interface CandleView {
  readonly start: number;
  readonly openUnits: number;
  readonly highUnits: number;
  readonly lowUnits: number;
  readonly closeUnits: number;
  readonly volume: number;
  readonly trades: number;
  readonly bestBidUnits: number | null;
  readonly bestAskUnits: number | null;
}

/** Writes the JSON of an answer (oldest first) by hand: `JSON.stringify` takes six times as long for 5,000 candles. */
export function candlesJson(marketId: string, period: CandlePeriod, candles: readonly CandleView[]): Buffer {
  const head = Buffer.from(`{"marketId":${JSON.stringify(marketId)},"period":${period},"candles":[`);
  const starts = new StartTexts();
  const text = new AsciiText(head, candles.length * CANDLE_BYTES);
  for (const [index, view] of candles.entries()) {
    text.add(index === 0 ? '{"start":"' : ',{"start":"');
    text.add(starts.of(view.start));
    text.add('","open":');
    text.add(priceJson(view.openUnits));
    text.add(',"high":');
    text.add(priceJson(view.highUnits));
    text.add(',"low":');
    text.add(priceJson(view.lowUnits));
    text.add(',"close":');
    text.add(priceJson(view.closeUnits));
    text.add(',"volume":');
    text.add(String(view.volume));
    text.add(',"trades":');
    text.add(String(view.trades));
    text.add(',"yesBidClose":');
    text.add(priceJson(view.bestBidUnits));
    text.add(',"yesAskClose":');
    text.add(priceJson(view.bestAskUnits));
    text.add('}');
  }
  text.add(']}');
  return text.end();
}

const CANDLE_BYTES = 180;

/** A growing buffer of ASCII text. It is never turned into a string, which would be copied again. */
class AsciiText {
  #bytes: Buffer;
  #end: number;

  constructor(head: Buffer, expectedBytes: number) {
    this.#bytes = Buffer.allocUnsafe(head.length + expectedBytes);
    this.#end = head.copy(this.#bytes);
  }

  add(text: string): void {
    if (this.#end + text.length > this.#bytes.length) this.#grow(text.length);
    const bytes = this.#bytes;
    const begin = this.#end;
    for (let index = 0; index < text.length; index += 1) bytes[begin + index] = text.charCodeAt(index);
    this.#end = begin + text.length;
  }

  end(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }

  #grow(bytes: number): void {
    const larger = Buffer.allocUnsafe(2 * this.#bytes.length + bytes);
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}

const PRICE_TEXTS: readonly string[] = Array.from({ length: UNITS_PER_DOLLAR + 1 }, (_, units) =>
  JSON.stringify(dollars(units)),
);

function priceJson(units: number | null): string {
  return units === null ? 'null' : (PRICE_TEXTS[units] ?? JSON.stringify(dollars(units)));
}

/** The part after the date in the timestamp of each minute of the day. */
const MINUTE_TEXTS: readonly string[] = Array.from({ length: DAY_MS / MINUTE_MS }, (_, minute) =>
  iso(minute * MINUTE_MS).slice('1970-01-01'.length),
);

/** Writes whole minutes as timestamps, in a third of the time that `Date` takes: a long page has thousands of them. */
class StartTexts {
  #dayMs = -1;
  #date = '';

  of(ms: number): string {
    const timeMs = ms % DAY_MS;
    if (ms - timeMs !== this.#dayMs) {
      this.#dayMs = ms - timeMs;
      this.#date = iso(ms).slice(0, '1970-01-01'.length);
    }
    return `${this.#date}${MINUTE_TEXTS[timeMs / MINUTE_MS] ?? ''}`;
  }
}
