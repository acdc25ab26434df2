export { DecisionCutter } from './engine/decisions.ts';
export { JournalDiverged } from './engine/divergence.ts';
export { isTransient, ProjectionFenced } from './engine/faults.ts';
export { Gathering } from './engine/gathering.ts';
export { createBookFold, createFold, MODELS } from './models/index.ts';
export type { MarketFold } from './models/markets/market-fold.ts';
export type { Checkpoint } from './engine/checkpoint.ts';
export { Projection, type Projected } from './projection/projection.ts';
export { catchUp, FILL_WORK_MEM, runProjector } from './projection/projector.ts';
export * as queries from './reads/index.ts';
export {
  createAccountEventSource,
  type AccountEventAnswer,
  type AccountEventSource,
} from './serving/account-event-source.ts';
export { createAuthenticator } from './serving/authenticator.ts';
export { createBookSource, type BookSource } from './serving/book-source.ts';
export { describeFill, type FillProgress } from './serving/fill.ts';
export { FRESHNESS_TIMEOUT_MS, type Freshness } from './serving/freshness.ts';
export { HoldingsFold } from './serving/holdings-fold.ts';
export { LiveAccounts, type FollowedEvent } from './serving/live-accounts.ts';
export { LiveBooks, type BookChange } from './serving/live-books.ts';
export { JournalCheck } from './engine/journal-check.ts';
export { lagBehind, toProjectionReport, type Lag, type ProjectionReport } from './serving/lag.ts';
export { LruCache } from './serving/lru-cache.ts';
export { RecentChanges } from './projection/recent-changes.ts';
export { Progress, type LocalProgress, type ProgressSource } from './serving/progress.ts';
export { ReadCache, type ReadCacheSettings, type Reading } from './serving/read-cache.ts';
export { NOTHING_HELD, type HeldItems } from './models/json-query.ts';
export { BeingFilled, ReadModels, type Answered, type ReadView } from './serving/read-models.ts';
export { createReader, LONG_READS_AT_ONCE, type Reader } from './serving/reader.ts';
export { DIVERGED_GAUGE, reportDivergence } from './serving/report-divergence.ts';
export * as rebuilding from './rebuild/index.ts';
export type { ReadDb } from './models/tables.ts';
export { connectReadModels } from './projection/database.ts';
export { activeSchema, prepareReadModels } from './projection/registry.ts';
