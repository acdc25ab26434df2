import { eventStoreUrlSetting } from '@paper/journal';
import { storeSettings } from '@paper/runtime';
import { z } from 'zod';

const password = z
  .string()
  .regex(/^[A-Za-z0-9]{16,128}$/, 'must be 16 to 128 letters and digits, as it becomes part of a URL')
  .optional();

/** The settings by the names of their variables. DATABASE_URL connects as the database's owner. */
export const rolesSettings = z.object({
  ...storeSettings,
  JOURNAL_URL: eventStoreUrlSetting.optional(),
  COMMAND_PASSWORD: password,
  PROJECTOR_PASSWORD: password,
  READER_PASSWORD: password,
  PORTAL_PASSWORD: password,
});
