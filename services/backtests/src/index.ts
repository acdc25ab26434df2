export { createBacktests, type Backtests, type BacktestsOptions } from './host/backtests.ts';
export {
  backtestFolders,
  backtestLimits,
  backtestsAtOnce,
  backtestSettings,
  backtestsServiceSettings,
} from './host/config.ts';
export {
  JOURNAL_FILE,
  RECORD_FILE,
  type BacktestMessage,
  type BacktestRecord,
  type BacktestSettings,
  type BacktestStart,
} from './protocol.ts';
