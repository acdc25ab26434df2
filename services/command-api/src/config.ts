import { journalSettings } from '@paper/journal';
import { httpSettings } from '@paper/http';
import { described, processSettings, storeSettings } from '@paper/runtime';
import { z } from 'zod';
import { decidingSettings } from './deciding-settings.ts';

/** The command API's settings, by the names of their variables. */
export const commandApiSettings = z.object({
  ...processSettings,
  ...storeSettings,
  ...journalSettings,
  ...httpSettings,
  ...decidingSettings,
  BACKUP_DIR: described(z.string().optional(), 'backups; deletions are noted there'),
});
