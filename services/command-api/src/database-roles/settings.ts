import { journalSettings } from '@paper/journal';
import { described, setting, storeSettings } from '@paper/runtime';
import { DATABASE_ROLES, databaseSettings } from '@paper/runtime/coordination';
import { z } from 'zod';

const PASSWORD = /^[A-Za-z0-9]{16,128}$/;

/** A role's connection string, as its services have it. */
const urlOf = (role: string) =>
  described(
    setting.databaseUrl
      .refine(
        (text) => URL.canParse(text) && new URL(text).username === role && PASSWORD.test(new URL(text).password),
        `must be postgresql://${role}:PASSWORD@host:5432/database, its password 16 to 128 letters and digits`,
      )
      .optional(),
    `its password becomes that of ${role}: 16 to 128 letters and digits`,
    'unchanged',
  );

/** A service's connection string to EventStoreDB. */
const journalUrlOf = (service: string) =>
  described(
    journalSettings.JOURNAL_URL,
    `of ${service}: esdb://user:password@host:2113; the user is made in EventStoreDB`,
    'rights unchanged',
  );

/**
 * The settings of `npm run roles`. DATABASE_URL connects as the database's owner, JOURNAL_URL as an administrator of
 * EventStoreDB.
 */
export const rolesSettings = z.object({
  ...storeSettings,
  ...journalSettings,
  COMMAND_JOURNAL_URL: journalUrlOf('command-api'),
  PROJECTOR_JOURNAL_URL: journalUrlOf('projector'),
  READER_JOURNAL_URL: journalUrlOf('query-api, stream-gateway and backtests'),
  ...databaseSettings((role) => urlOf(DATABASE_ROLES[role])),
});
