import { resolve } from 'node:path';
import { mcpSettings } from '@paper/mcp';
import { portalSettings } from '@paper/portal';
import { apiSetting, httpSettings } from '@paper/http';
import { processSettings, setting } from '@paper/runtime';
import { z } from 'zod';

/** The standalone's settings, by the names of their variables. */
export const standaloneSettings = z.object({
  ...processSettings,
  ...httpSettings,
  PORT: setting.port.default(4000),
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((path) => resolve(path)),
  /** The folder of backups, in which deletions are noted. Default: `<DATA_DIR>-backups`, where it exists. */
  BACKUP_DIR: z.string().optional(),
  /** An external Postgres, in place of the embedded one. */
  DATABASE_URL: setting.databaseUrl.optional(),
  DEMO: setting.onOff.default(true),
  HOUSE_BOTS: setting.onOff.default(true),
  /** Markets that the house bots trade, in place of the demo's. */
  HOUSE_MARKETS: setting.list.optional(),
  STARTING_BALANCE: setting.startingBalance.default(10_000),
  COMPLIANCE_MODE: apiSetting.complianceMode.default('paper'),
  /** `on`: decide although the clock disagrees with the journal's last event or with the database's clock. */
  ACCEPT_CLOCK: setting.acceptClock.default('off'),
  /** Events between two snapshots; 0: none is taken. */
  SNAPSHOT_EVERY: setting.snapshotEvery.default(100_000),
  /** `warn` by default, since the log shares the terminal with a person. */
  LOG_LEVEL: setting.logLevel.default('warn'),
  ...portalSettings,
  ...mcpSettings,
});

export type StandaloneConfig = z.output<typeof standaloneSettings>;
