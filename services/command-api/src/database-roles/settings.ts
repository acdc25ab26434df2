import { eventStoreUrlSetting } from '@paper/journal';
import { described, storeSettings } from '@paper/runtime';
import { z } from 'zod';

const password = (role: string) =>
  described(
    z
      .string()
      .regex(/^[A-Za-z0-9]{16,128}$/, 'must be 16 to 128 letters and digits, as it becomes part of a URL')
      .optional(),
    `of ${role}: 16 to 128 letters and digits`,
    'unchanged',
  );

/** The settings by the names of their variables. DATABASE_URL connects as the database's owner. */
export const rolesSettings = z.object({
  ...storeSettings,
  JOURNAL_URL: described(
    eventStoreUrlSetting.optional(),
    'the journal in EventStoreDB: esdb://host:2113?tls=false',
    'in Postgres',
  ),
  COMMAND_PASSWORD: password('paper_command'),
  PROJECTOR_PASSWORD: password('paper_projector'),
  READER_PASSWORD: password('paper_reader'),
  PORTAL_PASSWORD: password('paper_portal'),
});
