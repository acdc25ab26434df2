import { OUTCOMES, PHASES, SIDES } from '@paper/exchange/vocabulary';
import type { Phase } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import {
  answer,
  chance,
  computed,
  described,
  namedObject,
  same,
  time,
  timeOrNull,
  units,
  unitsOrNull,
} from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { count, delta, fraction, money } from '../numbers.ts';
import { dollars, dollarsOrNull, inOwnTerms, probability } from '../units.ts';

export const marketStatus = z.enum(['active', 'resolved', 'pending']);
export type MarketStatus = z.output<typeof marketStatus>;
/** The sort orders of markets; the description of `listMarkets` explains each. */
export const MARKET_SORTS = ['newest', 'activity', 'closing', 'movement'] as const;
export type MarketSort = (typeof MARKET_SORTS)[number];
/** The optional fields that `fields` can add to the markets of a list. */
export const MARKET_FIELDS = ['trend'] as const;
export const TREND_HOURS = 24;
export const marketPhase = z.enum(PHASES);
export const outcome = z.enum(OUTCOMES);
export const side = z.enum(SIDES);

/** Maps a phase to the status that the specification defines for it. */
export function statusOf(phase: Phase): MarketStatus {
  return phase === 'active' || phase === 'resolved' ? phase : 'pending';
}

/** A field with the status of the view's phase. */
export function statusField(description?: string) {
  return computed(described(marketStatus, description), ({ phase }: { readonly phase: Phase }) => statusOf(phase));
}

/** Quotes of both outcomes, made from the best bid and ask in YES terms; null without one. */
interface Quoted {
  readonly bestBidUnits: number | null;
  readonly bestAskUnits: number | null;
}

const otherOrNull = (units: number | null) => (units === null ? null : dollars(inOwnTerms('no', units)));

export const bestYesBid = unitsOrNull('bestBidUnits');
export const bestYesAsk = unitsOrNull('bestAskUnits');
export const bestNoBid = computed(money.nullable(), ({ bestAskUnits }: Pick<Quoted, 'bestAskUnits'>) =>
  otherOrNull(bestAskUnits),
);
export const spread = computed(money.nullable(), ({ bestAskUnits, bestBidUnits }: Quoted) =>
  bestBidUnits === null || bestAskUnits === null ? null : dollars(bestAskUnits - bestBidUnits),
);

const Quotes = answer(null, {
  bestYesBid,
  bestYesAsk,
  bestNoBid,
  bestNoAsk: computed(money.nullable(), ({ bestBidUnits }: Pick<Quoted, 'bestBidUnits'>) => otherOrNull(bestBidUnits)),
  spread,
});

export const lastTradePrice = unitsOrNull('lastTradeUnits', 'The price of the last trade, in YES terms.');

/** The names of a market in a list's item, and its result. */
export const MarketName = answer('PortfolioMarket', {
  title: same(z.string()),
  ticker: same(z.string()),
  companySlug: same(z.string()),
  resolvedOutcome: same(outcome.nullable()),
});

export type MarketNameView = ViewOf<typeof MarketName>;

/** The past probabilities that a trend is made of, in half units. */
export interface MarketTrend {
  readonly dayAgoHalfUnits: number;
  /** The probabilities at the last whole hours, oldest first; null before the listing. */
  readonly hourlyHalfUnits: readonly (number | null)[];
}

interface MayHaveTrend {
  readonly trend?: MarketTrend | undefined;
}

/** Readonly as a type only: `readonly()` of the schema would mark the field in the OpenAPI document. */
const hourlyChances: z.ZodType<readonly (number | null)[]> = z.array(fraction.nullable());

const ONLY_IN_TREND = 'Only in `GET /api/markets?fields=trend`.';

/** A market; quotes and the last trade are in YES terms. */
export const Market = answer('Market', {
  id: same(z.string()),
  title: same(z.string()),
  ticker: same(z.string()),
  companySlug: same(z.string(), 'The company, as a short name for URLs; never empty.'),
  sector: same(z.string()),
  category: same(z.string()),
  settlementSource: same(z.string()),
  status: statusField('`active` and `resolved` equal the phase of that name; every other phase is `pending`.'),
  phase: same(marketPhase, 'The exact state of the market. Only an active market takes orders.'),
  resolvedOutcome: same(outcome.nullable()),
  probability: chance(
    'probabilityHalfUnits',
    'The midpoint if both sides are quoted at most $0.10 apart, else the last trade, else the prior. For a settled market: what YES pays.',
  ),
  volume: same(count, 'The number of shares traded.'),
  openInterest: same(count, 'The number of outstanding pairs of one YES and one NO share.'),
  ...Quotes.fields,
  lastTradePrice,
  tickSize: units('tickUnits', 'The price step: an order with a price between two steps is refused as `invalid_tick`.'),
  closesAt: time('closesAt'),
  createdAt: time('createdAt'),
  resolvedAt: timeOrNull('resolvedAt'),
  description: same(z.string().nullable()),
  citationUrl: same(z.string().nullable()),
  seq: same(count, "The journal sequence of the market's last event."),
  change24h: computed(
    delta
      .optional()
      .describe(`The probability minus that of 24 h ago; for a younger market minus its prior. ${ONLY_IN_TREND}`),
    ({ probabilityHalfUnits, trend }: MayHaveTrend & { readonly probabilityHalfUnits: number }) =>
      trend === undefined ? undefined : probability(probabilityHalfUnits - trend.dayAgoHalfUnits),
  ),
  spark: computed(
    hourlyChances
      .optional()
      .describe(
        `The probability at each of the last ${TREND_HOURS} whole hours of UTC, oldest first; null before the listing. ${ONLY_IN_TREND}`,
      ),
    ({ trend }: MayHaveTrend) =>
      trend?.hourlyHalfUnits.map((halfUnits) => (halfUnits === null ? null : probability(halfUnits))),
  ),
});

export type MarketView = ViewOf<typeof Market>;
export type MarketBody = BodyOf<typeof Market>;

const level = z.strictObject({ price: money, quantity: count, orders: count });
const ladder = z.strictObject({
  bids: z.array(level).describe('Price levels, highest first, at most 200.'),
  asks: z.array(level).describe('Price levels, lowest first, at most 200.'),
});

export const OrderBook = namedObject('OrderBook', {
  marketId: z.string(),
  seq: count.describe("The journal sequence of the market's last event."),
  yes: ladder,
  no: ladder.describe('The same orders in NO terms: a YES bid at p is a NO ask at 1 − p.'),
  ...Quotes.schema.shape,
  lastTradePrice: lastTradePrice.schema,
});

export type OrderBookBody = z.output<typeof OrderBook>;

/** A price level; the price is in YES terms. */
export interface LevelView {
  readonly priceUnits: number;
  readonly quantity: number;
  readonly orders: number;
}

/** A book in YES terms: bids highest first, asks lowest first. */
export interface OrderBookView {
  readonly marketId: string;
  readonly seq: number;
  readonly bids: readonly LevelView[];
  readonly asks: readonly LevelView[];
  readonly lastTradeUnits: number | null;
}

export const BOOK_DEPTH = 200;

/** Makes the answer from a book, with at most `depth` levels on each side. */
export function orderBookBody(view: OrderBookView, depth = BOOK_DEPTH): OrderBookBody {
  const native = ({ priceUnits, quantity, orders }: LevelView) => ({ price: dollars(priceUnits), quantity, orders });
  const mirrored = ({ priceUnits, quantity, orders }: LevelView) => ({
    price: dollars(inOwnTerms('no', priceUnits)),
    quantity,
    orders,
  });
  const bids = view.bids.slice(0, depth);
  const asks = view.asks.slice(0, depth);
  return {
    marketId: view.marketId,
    seq: view.seq,
    yes: { bids: bids.map(native), asks: asks.map(native) },
    no: { bids: asks.map(mirrored), asks: bids.map(mirrored) },
    ...Quotes.body({ bestBidUnits: bids[0]?.priceUnits ?? null, bestAskUnits: asks[0]?.priceUnits ?? null }),
    lastTradePrice: dollarsOrNull(view.lastTradeUnits),
  };
}
