import type { CandleBody, MarketBody, RecentTradeBody } from '@paper/contracts/markets';
import type { FillBody, OrderBody } from '@paper/contracts/orders';
import type { PositionBody } from '@paper/contracts/portfolio';
import { PmxtError } from './errors.ts';

/** Converts the API's answers to the shapes of pmxt's types. Prices are dollars per share, sizes are shares. */

export type Outcome = 'yes' | 'no';

/** An outcome of a market. pmxt identifies it by one text: `<marketId>:yes` or `<marketId>:no`. */
interface OutcomeRef {
  readonly marketId: string;
  readonly outcome: Outcome;
}

const outcomeIdOf = ({ marketId, outcome }: OutcomeRef): string => `${marketId}:${outcome}`;

/** Parses `<marketId>:yes` or `<marketId>:no`. @throws PmxtError for any other text */
export function parseOutcomeId(text: string): OutcomeRef {
  const [, marketId, outcome] = /^(.+):(yes|no)$/s.exec(text) ?? [];
  if (marketId !== undefined) return { marketId, outcome: outcome === 'yes' ? 'yes' : 'no' };
  throw new PmxtError('VALIDATION_ERROR', `outcomeId: must be <marketId>:yes or <marketId>:no, not ${text}`);
}

/** Rounds a difference of dollars, to remove the error of binary fractions. */
const exact = (dollars: number): number => Math.round(dollars * 20_000) / 20_000;

const LABELS: Readonly<Record<Outcome, string>> = { yes: 'Yes', no: 'No' };

/** The fields that describe this venue in every market and event of an answer. */
export interface Origin {
  readonly exchange: string;
  /** The address that the caller used, such as `http://localhost:4000`. */
  readonly baseUrl: string;
}

/** A UnifiedMarket. `volume24h` and `liquidity` are left out: the API's markets have neither. */
export function toMarket(market: MarketBody, { baseUrl, exchange }: Origin) {
  const outcomeOf = (outcome: Outcome, price: number) => ({
    outcomeId: outcomeIdOf({ marketId: market.id, outcome }),
    marketId: market.id,
    label: LABELS[outcome],
    price,
  });
  const yes = outcomeOf('yes', market.probability);
  const no = outcomeOf('no', exact(1 - market.probability));
  return {
    marketId: market.id,
    eventId: market.companySlug,
    title: market.title,
    description: market.description ?? '',
    slug: market.id,
    outcomes: [yes, no],
    yes,
    no,
    resolutionDate: market.closesAt,
    volume: market.volume,
    openInterest: market.openInterest,
    url: `${baseUrl}/market?id=${encodeURIComponent(market.id)}`,
    category: market.category,
    tags: [market.sector],
    tickSize: market.tickSize,
    status: market.status === 'resolved' ? 'closed' : market.status,
    sourceExchange: exchange,
  };
}

export type PmxtMarket = ReturnType<typeof toMarket>;

/** UnifiedEvents: the markets of each company, in the order of the first one. */
export function toEvents(markets: readonly PmxtMarket[], { baseUrl, exchange }: Origin) {
  const byCompany = new Map<string, PmxtMarket[]>();
  for (const market of markets) byCompany.set(market.eventId, [...(byCompany.get(market.eventId) ?? []), market]);
  return [...byCompany].map(([id, of]) => ({
    id,
    title: id,
    description: '',
    slug: id,
    markets: of,
    volume: of.reduce((sum, { volume }) => sum + volume, 0),
    url: `${baseUrl}/`,
    category: of[0]?.category,
    tags: [...new Set(of.flatMap(({ tags }) => tags))],
    sourceExchange: exchange,
  }));
}

/** A PriceCandle of an outcome. For NO, the candle of YES is mirrored. */
export function toCandle(candle: CandleBody, outcome: Outcome) {
  const of = (yesPrice: number): number => (outcome === 'yes' ? yesPrice : exact(1 - yesPrice));
  const [high, low] = outcome === 'yes' ? [candle.high, candle.low] : [candle.low, candle.high];
  return {
    timestamp: Date.parse(candle.start),
    open: of(candle.open),
    high: of(high),
    low: of(low),
    close: of(candle.close),
    volume: candle.volume,
  };
}

/** A Trade in terms of an outcome: the buyer of the other outcome sold this one. */
export function toTrade(trade: RecentTradeBody, outcome: Outcome) {
  const isOwn = trade.outcome === outcome;
  return {
    id: trade.id,
    timestamp: Date.parse(trade.createdAt),
    price: outcome === 'yes' ? trade.yesPrice : exact(1 - trade.yesPrice),
    amount: trade.quantity,
    side: (trade.side === 'buy') === isOwn ? ('buy' as const) : ('sell' as const),
    outcomeId: outcomeIdOf({ marketId: trade.marketId, outcome }),
  };
}

export function toUserTrade(fill: FillBody) {
  return {
    id: fill.id,
    timestamp: Date.parse(fill.createdAt),
    price: fill.price,
    amount: fill.quantity,
    side: fill.side,
    outcomeId: outcomeIdOf(fill),
    orderId: fill.orderId,
  };
}

/** An Order; a partly filled one counts as open. */
export function toOrder(order: Omit<OrderBody, 'userId'>) {
  const isOpen = order.status === 'open' || order.status === 'partial';
  return {
    id: order.id,
    marketId: order.marketId,
    outcomeId: outcomeIdOf(order),
    side: order.side,
    type: order.orderType,
    price: order.price,
    amount: order.quantity,
    status: isOpen ? ('open' as const) : order.status,
    filled: order.filledQty,
    filledShares: order.filledQty,
    remaining: isOpen ? order.quantity - order.filledQty : 0,
    timestamp: Date.parse(order.createdAt),
    fee: 0,
  };
}

export function toPosition(position: PositionBody) {
  const { marketId, side: outcome } = position;
  return {
    marketId,
    outcomeId: outcomeIdOf({ marketId, outcome }),
    outcomeLabel: LABELS[outcome],
    size: position.shares,
    entryPrice: position.avgCost,
    currentPrice: position.markPrice,
    unrealizedPnL: position.unrealizedPnl,
  };
}

/** The only Balance: simulated dollars. */
export function toBalance(cash: number, orders: readonly Pick<OrderBody, 'reservedAmount'>[]) {
  const locked = exact(orders.reduce((sum, { reservedAmount }) => sum + reservedAmount, 0));
  return { currency: 'USD', total: cash, available: exact(cash - locked), locked };
}
