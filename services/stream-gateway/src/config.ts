import { eventStoreUrlSetting } from '@paper/journal';
import { httpSettings } from '@paper/http';
import { processSettings, setting, storeSettings } from '@paper/runtime';
import { z } from 'zod';

/** The stream gateway's settings, by the names of their variables. */
export const streamGatewaySettings = z.object({
  ...processSettings,
  ...storeSettings,
  JOURNAL_URL: eventStoreUrlSetting.optional(),
  ...httpSettings,
  /** The Redis that pulses come from. */
  REDIS_URL: setting.redisUrl,
});
