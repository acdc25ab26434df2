export * from './activity.ts';
export * from './book-delta.ts';
export * from './candle.ts';
export {
  BOOK_DEPTH,
  Market,
  MARKET_SORTS,
  MarketName,
  marketStatus,
  OrderBook,
  orderBookBody,
  outcome,
  side,
  statusOf,
  TREND_HOURS,
  type LevelView,
  type MarketBody,
  type MarketNameView,
  type MarketSort,
  type MarketStatus,
  type MarketView,
  type OrderBookBody,
  type OrderBookView,
} from './market.ts';
export * from './moment.ts';
export * from './pulse.ts';
export * from './recent-trade.ts';
export type { Phase } from '@paper/exchange/vocabulary';
