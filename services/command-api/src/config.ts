import { eventStoreUrlSetting } from '@paper/journal';
import { apiSetting, httpSettings } from '@paper/http';
import { described, processSettings, setting, storeSettings } from '@paper/runtime';
import { z } from 'zod';

/** The command API's settings, by the names of their variables. */
export const commandApiSettings = z.object({
  ...processSettings,
  ...storeSettings,
  JOURNAL_URL: described(
    eventStoreUrlSetting.optional(),
    'the journal in EventStoreDB: esdb://host:2113?tls=false',
    'in Postgres',
  ),
  ...httpSettings,
  STARTING_BALANCE: described(setting.startingBalance.default(10_000), 'dollars of a new account'),
  COMPLIANCE_MODE: described(
    apiSetting.complianceMode.default('paper'),
    'kyc: orders only of accounts that the operator approved',
  ),
  ACCEPT_CLOCK: described(
    setting.acceptClock.default('off'),
    'on: begin to decide although the clock is far from the journal or the database; journal: from the journal alone',
  ),
  SNAPSHOT_EVERY: described(
    setting.snapshotEvery.default(100_000),
    'events from one snapshot to the next; 0: none is taken',
  ),
  BACKUP_DIR: described(z.string().optional(), 'backups; deletions are noted there'),
});
