export { createBacktests, type Backtests } from './host/backtests.ts';
export {
  backtestFolders,
  backtestLimits,
  backtestsAtOnce,
  backtestSettings,
  backtestsServiceSettings,
} from './host/config.ts';
