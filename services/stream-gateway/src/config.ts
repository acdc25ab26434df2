import { journalSettings } from '@paper/journal';
import { httpSettings } from '@paper/http';
import { described, processSettings, setting, storeSettings } from '@paper/runtime';
import { z } from 'zod';

export const streamGatewaySettings = z.object({
  ...processSettings,
  ...storeSettings,
  ...journalSettings,
  ...httpSettings,
  REDIS_URL: described(setting.redisUrl, 'redis://host:6379: pub/sub of pulses', 'needed'),
});
