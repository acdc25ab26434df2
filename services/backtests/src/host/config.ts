import { decidingSettings } from '@paper/command-api';
import { isLoopback, serverSettings } from '@paper/http';
import type { appSettings } from '@paper/http';
import { journalSettings } from '@paper/journal';
import { described, processSettings, setting, storeSettings } from '@paper/runtime';
import { z } from 'zod';

export const backtestSettings = {
  TAPES_DIR: described(setting.path.optional(), 'recorded markets for backtests', 'DATA_DIR/tapes'),
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

export const backtestsServiceSettings = z.object({
  ...processSettings,
  ...storeSettings,
  ...journalSettings,
  BACKTESTS_DATABASE_URL: described(
    setting.databaseUrl,
    'connects as a role that may make databases: one for each backtest',
    'needed',
  ),
  ...serverSettings,
  PUBLIC_URL: described(setting.siteUrl, 'the address that people use: base URLs of backtests begin with it', 'needed'),
  DATA_DIR: described(setting.path.prefault('./data'), 'backtests: their journals and reports'),
  STARTING_BALANCE: decidingSettings.STARTING_BALANCE,
  ...backtestSettings,
});

type Settings = z.output<z.ZodObject<typeof backtestSettings>>;

export type BacktestsConfig = Settings &
  Parameters<typeof appSettings>[0] & {
    readonly DATA_DIR: string;
    readonly HOST: string;
    readonly STARTING_BALANCE: number;
  };

/** The backtests that may run at the same time: where BACKTESTS_MAX is not set, HOST decides. */
export function backtestsAtOnce(config: Pick<BacktestsConfig, 'BACKTESTS_MAX' | 'HOST'>): number {
  return config.BACKTESTS_MAX ?? (isLoopback(config.HOST) ? 2 : 0);
}
