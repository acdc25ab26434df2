export { cancelsAtOf, listSubAccounts, meOf, primaryOf } from '../models/accounts/queries.ts';
export { findActivity } from './activity.ts';
export { findOrderBookAsOf } from './as-of/order-book.ts';
export { findPortfolioAsOf } from './as-of/portfolio.ts';
export { findCandles } from '../models/minutes/queries.ts';
export { probabilitiesAt } from '../models/minutes/at-end-of.ts';
export { findPublicName } from '../models/accounts/display-name.ts';
export { listFills, listRecentTrades, listTrades } from '../models/fills/queries.ts';
export { findKey, findKeyOwner, listKeys } from '../models/accounts/keys.ts';
export { OpenRanking, rankAccounts, type Ranking } from './leaderboard.ts';
export { listLedger, type LedgerRow } from './ledger.ts';
export {
  listMarkets,
  listMarketsByClosing,
  newestActive,
  newestPage,
  rankMarkets,
  type ClosingPosition,
  type MarketFilter,
  type RankPosition,
} from '../models/markets/market-lists.ts';
export { trigramSchema } from '../engine/trigrams.ts';
export { findMarketRecord } from '../models/market-records/queries.ts';
export { marketOf, orderBookOf } from '../models/markets/queries.ts';
export { findMoments } from '../models/books/queries.ts';
export { findOrderHistory, findOrderSequences, type OrderHistoryPage } from '../models/orders/order-history.ts';
export { findOrder, findOrderByClientId, findAnyOrder, listOpenOrders, listOrders } from '../models/orders/queries.ts';
export { findHolders, listOneSidedTransfers, listPrimaryAccounts } from './oversight.ts';
export {
  ENDED_ORDERS_MAX,
  marketsById,
  portfolioOf,
  SETTLED_MAX,
  toPortfolioHead,
  TRADES_MAX,
  type FoundPortfolio,
} from './portfolio.ts';
export { positionsOf } from '../models/positions/queries.ts';
export { mostActiveMarkets, pulseEntries } from './pulse.ts';
export { signalInputs, type FairValue, type SignalInput } from './signal-inputs.ts';
export { listRecentSignals } from '../models/signals/queries.ts';
export { findTimeline } from './timeline.ts';
export { findTrader } from './trader.ts';
