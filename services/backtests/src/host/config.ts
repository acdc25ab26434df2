import { resolve } from 'node:path';
import { isLoopback } from '@paper/http';
import { described, setting } from '@paper/runtime';
import { z } from 'zod';

/** Settings of tapes and backtests, by the names of their variables. */
export const backtestSettings = {
  TAPES_DIR: described(
    z
      .string()
      .transform((path) => resolve(path))
      .optional(),
    'recorded markets for backtests',
    'DATA_DIR/tapes',
  ),
  BACKTESTS_MAX: described(
    setting.wholeNumber(0, 100).optional(),
    'backtests at once, each a process; default: 2 where HOST is loopback, else 0',
    'by address',
  ),
  BACKTESTS_DAYS: described(
    setting.wholeNumber(1, 3_650).default(7),
    'days for which the report and the journal of an ended backtest stay',
  ),
  BACKTESTS_MB: described(
    setting.wholeNumber(1, 1_000_000_000).default(20_000),
    'MB of the files of all backtests; the oldest ended go first',
  ),
  BACKTESTS_FLEET_MB: described(
    setting.wholeNumber(1, 1_000_000_000).default(5_000),
    "MB of the files of one fleet's backtests",
  ),
};

/** The bounds of backtests. */
export interface BacktestLimits {
  readonly atOnce: number;
  readonly days: number;
  readonly bytes: number;
  readonly fleetBytes: number;
}

type Settings = z.output<z.ZodObject<typeof backtestSettings>>;

const MB = 1_000_000;

/** @param host the address that users reach, which decides where BACKTESTS_MAX does not */
export function backtestLimits(
  { BACKTESTS_DAYS, BACKTESTS_FLEET_MB, BACKTESTS_MAX, BACKTESTS_MB }: Omit<Settings, 'TAPES_DIR'>,
  host: string,
): BacktestLimits {
  return {
    atOnce: BACKTESTS_MAX ?? (isLoopback(host) ? 2 : 0),
    days: BACKTESTS_DAYS,
    bytes: BACKTESTS_MB * MB,
    fleetBytes: BACKTESTS_FLEET_MB * MB,
  };
}
