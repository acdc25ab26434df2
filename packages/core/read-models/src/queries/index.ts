export { cancelsAtOf, listSubAccounts, meOf, primaryOf } from './accounts.ts';
export { findActivity } from './activity.ts';
export { findOrderBookAsOf } from './as-of/order-book.ts';
export { findPortfolioAsOf } from './as-of/portfolio.ts';
export { findCandles } from './candles.ts';
export { findPublicName } from './display-name.ts';
export { listFills } from './fills.ts';
export { findKey, findKeyOwner, listKeys } from './keys.ts';
export { rankAccounts, type Ranking } from './leaderboard.ts';
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
} from './market-lists.ts';
export { marketOf, orderBookOf } from './markets.ts';
export { findMoments } from './moments.ts';
export { findOrderHistory, type OrderHistoryPage } from './order-history.ts';
export { findOrder, findOrderByClientId, findOrderOwner, listOrders } from './orders.ts';
export { findHolders, listOneSidedTransfers, listPrimaryAccounts } from './oversight.ts';
export { portfolioOf } from './portfolio.ts';
export { positionsOf } from './positions.ts';
export { mostActiveMarkets, pulseEntries } from './pulse.ts';
export { signalInputs, type FairValue, type SignalInput } from './signal-inputs.ts';
export { listRecentSignals } from './signals.ts';
export { findTimeline } from './timeline.ts';
export { listRecentTrades, listTrades } from './trades.ts';
