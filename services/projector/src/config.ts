import { eventStoreUrlSetting } from '@paper/journal';
import { processSettings, setting, storeSettings } from '@paper/runtime';
import { z } from 'zod';

/** The projector's settings, by the names of their variables. */
export const projectorSettings = z.object({
  ...processSettings,
  ...storeSettings,
  JOURNAL_URL: eventStoreUrlSetting.optional(),
  /** The publisher of pulses. */
  REDIS_URL: setting.redisUrl,
});
