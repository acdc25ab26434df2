export { connectReadModels, type DatabaseOptions, type ReadDb } from './database.ts';
export { ReadModels, type Answered, type ReadView } from './read-models.ts';
export type { JsonQuery } from './json-query.ts';
export { activeSchema, prepareReadModels, PROJECTION_VERSION } from './registry.ts';
export type { MarketStatus, OrderStatus, Phase, ReadTables } from './tables.ts';
export type * from './views.ts';
export { findActivity } from './queries/activity.ts';
export { findPublicName } from './queries/display-name.ts';
export { listSubAccounts } from './queries/accounts.ts';
export { findKeyOwner, listKeys, type KeyFilter } from './queries/keys.ts';
export { createAuthenticator } from './authenticator.ts';
export { rankAccounts, type Ranking } from './queries/leaderboard.ts';
export { findMarket, findOrderBook, listMarkets, type MarketFilter } from './queries/markets.ts';
export { listLedger, type LedgerFilter, type LedgerRow } from './queries/ledger.ts';
export { findOrderOwner, listOrders, type OrderFilter, type OrderPosition } from './queries/orders.ts';
export {
  findOrderHistory,
  type OrderHistoryFilter,
  type OrderHistoryPage,
  type OrderHistoryPosition,
} from './queries/order-history.ts';
export { findOrderBookAsOf } from './as-of/order-book.ts';
export { findPortfolioAsOf } from './as-of/portfolio.ts';
export { portfolioOf } from './queries/portfolio.ts';
export { positionsOf } from './queries/positions.ts';
export { mostActiveMarkets, pulseEntries } from './queries/pulse.ts';
export { signalInputs, type FairValue, type SignalInput } from './queries/signal-inputs.ts';
export { listRecentSignals, type SignalFilter } from './queries/signals.ts';
export { findTimeline, type TimelineFilter } from './queries/timeline.ts';
export { listFills, type FillFilter } from './queries/fills.ts';
export {
  createAccountEventSource,
  type AccountEventAnswer,
  type AccountEventRequest,
  type AccountEventSource,
} from './account-event-source.ts';
export { listRecentTrades, type TradeFilter } from './queries/trades.ts';
export { lagBehind, reportOf, type Lag, type ProjectionReport } from './lag.ts';
export { wholeMinute } from './minute.ts';
export {
  connectReader,
  createReader,
  LONG_READS_AT_ONCE,
  type Reader,
  type ReaderConnections,
  type ReaderOptions,
} from './reader.ts';
export { LruCache } from './lru-cache.ts';
export { ReadCache, type ReadCacheSettings, type Reading } from './read-cache.ts';
export { createFreshness, FRESHNESS_TIMEOUT_MS, type Freshness } from './freshness.ts';
export { pollProgress, Progress, type ProgressSource, type LocalProgress } from './progress.ts';
export { JournalCheck, type JournalCheckOptions, type ServedCheckpoint } from './journal-check.ts';
export { DIVERGED_GAUGE, reportDivergence } from './report-divergence.ts';
export { checkInvariants, InvariantBroken } from './invariants.ts';
export {
  describeDivergence,
  findDivergence,
  JournalDiverged,
  type ComparedJournal,
  type Divergence,
} from './projection/divergence.ts';
export { isPassing, ProjectionFault, ProjectionFenced, SchemaRetired } from './projection/faults.ts';
export { Projection, type Checkpoint } from './projection/projection.ts';
export { BATCH_SIZE, catchUp, runProjector, type ProjectorOptions } from './projection/projector.ts';
export { abortRebuild, retireFormer } from './rebuild/clear.ts';
export { SchemaInUse } from './rebuild/drop.ts';
export { RebuildRunning } from './rebuild/exclusively.ts';
export { correctLeaderboard, type LeaderboardCorrected } from './rebuild/leaderboard.ts';
export {
  rebuild,
  TABLES_AT_ONCE,
  type Rebuilt,
  type RebuildOptions,
  type RebuildPhase,
  type RebuildProgress,
} from './rebuild/rebuild.ts';
export { RebuildRefused } from './rebuild/refused.ts';
export { returnToFormer } from './rebuild/return-to-former.ts';
export { rebuildStatus, type RebuildStatus, type SchemaState } from './rebuild/status.ts';
export { RebuildAborted, type Swapped } from './rebuild/swap.ts';
