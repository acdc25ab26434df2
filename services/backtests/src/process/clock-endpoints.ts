import { backtestEndpoints } from '@paper/contracts/backtests';

const { advanceClock, getClock } = backtestEndpoints;

/** The endpoints of a backtest's clock. */
export const clockEndpoints = { advanceClock, getClock };
