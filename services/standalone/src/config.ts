import { backtestSettings } from '@paper/backtests';
import { mcpSettings } from '@paper/mcp';
import { portalSettings } from '@paper/portal';
import { decidingSettings } from '@paper/command-api';
import { httpSettings } from '@paper/http';
import { described, processSettings, setting } from '@paper/runtime';
import { z } from 'zod';

export const standaloneSettings = z.object({
  ...processSettings,
  ...httpSettings,
  PORT: described(setting.port.default(4000), 'where it listens; 0 picks a free port'),
  OPERATOR_TOKENS: described(httpSettings.OPERATOR_TOKENS, 'name:token[:scope+scope],…', 'made once'),
  DATA_DIR: described(setting.path.prefault('./data'), 'database, keys, service.json'),
  BACKUP_DIR: described(z.string().optional(), 'backups; deletions are noted there', 'DATA_DIR-backups'),
  RESERVE_MB: described(
    setting.wholeNumber(0, 1_000_000).default(64),
    'MB of DATA_DIR that are kept for the end of batches on a full disk; 0: none',
  ),
  DATABASE_URL: described(setting.databaseUrl.optional(), 'a Postgres of your own (15 or later)', 'embedded'),
  DEMO: described(setting.onOff.default(true), 'demo markets and a demo account: on or off'),
  HOUSE_BOTS: described(setting.onOff.default(true), 'makers, traders and news of the demo markets: on or off'),
  HOUSE_MARKETS: described(
    setting.list.optional(),
    'ids of markets that the bots trade instead, comma-separated; all: quotes in others too',
    "the demo's",
  ),
  ...decidingSettings,
  // The default is `warn`, since the log shares the terminal with a person.
  LOG_LEVEL: described(setting.logLevel.default('warn'), 'trace, debug, info, warn, error, fatal or silent'),
  ...portalSettings,
  ...mcpSettings,
  ...backtestSettings,
});

export type StandaloneConfig = z.output<typeof standaloneSettings>;
