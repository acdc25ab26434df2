import { journalSettings } from '@paper/journal';
import { described, processSettings, setting, storeSettings } from '@paper/runtime';
import { z } from 'zod';

/** The projector's settings, by the names of their variables. */
export const projectorSettings = z.object({
  ...processSettings,
  ...storeSettings,
  ...journalSettings,
  REDIS_URL: described(setting.redisUrl, 'redis://host:6379: pub/sub of pulses', 'needed'),
});
