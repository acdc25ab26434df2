import { resolve } from 'node:path';
import { httpSettings, processSettings, setting } from '@paper/service-kit';
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
  /** A Postgres of one's own, in place of the embedded one. */
  DATABASE_URL: setting.databaseUrl.optional(),
  DEMO: setting.onOff.default(true),
  HOUSE_BOTS: setting.onOff.default(true),
  /** Markets that the house trades, in place of the demo's. */
  HOUSE_MARKETS: setting.list.optional(),
  STARTING_BALANCE: setting.startingBalance.default(10_000),
  COMPLIANCE_MODE: setting.complianceMode.default('paper'),
  /** The operator knows the clock to be right, where it does not fit the journal's last event or the database's clock. */
  ACCEPT_CLOCK: setting.acceptClock.default('off'),
  /** Events from one snapshot to the next; 0: none is taken. */
  SNAPSHOT_EVERY: setting.snapshotEvery.default(100_000),
  /** By default only what somebody should look at: it shares the terminal with a person. */
  LOG_LEVEL: setting.logLevel.default('warn'),
});

export type StandaloneConfig = z.output<typeof standaloneSettings>;
