import { eventStoreUrlSetting } from '@paper/journal';
import { apiSetting, httpSettings } from '@paper/http';
import { processSettings, setting, storeSettings } from '@paper/runtime';
import { z } from 'zod';

/** The command API's settings, by the names of their variables. */
export const commandApiSettings = z.object({
  ...processSettings,
  ...storeSettings,
  JOURNAL_URL: eventStoreUrlSetting.optional(),
  ...httpSettings,
  /** Dollars. */
  STARTING_BALANCE: setting.startingBalance.default(10_000),
  COMPLIANCE_MODE: apiSetting.complianceMode.default('paper'),
  /** `on`: decide although the clock disagrees with the journal's last event or with the database's clock. */
  ACCEPT_CLOCK: setting.acceptClock.default('off'),
  SNAPSHOT_EVERY: setting.snapshotEvery.default(100_000),
  /** The folder of backups, in which deletions are noted. Without it they are not. */
  BACKUP_DIR: z.string().optional(),
});
