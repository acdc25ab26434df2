export { openBacktests, type Backtests } from './host/backtests.ts';
export { backtestsAtOnce, backtestSettings, backtestsServiceSettings } from './host/config.ts';
