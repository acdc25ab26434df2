import { eventStoreUrlSetting } from '@paper/journal';
import { httpSettings } from '@paper/http';
import { described, processSettings, setting, storeSettings } from '@paper/runtime';
import { z } from 'zod';

/** The stream gateway's settings, by the names of their variables. */
export const streamGatewaySettings = z.object({
  ...processSettings,
  ...storeSettings,
  JOURNAL_URL: described(
    eventStoreUrlSetting.optional(),
    'the journal in EventStoreDB: esdb://host:2113?tls=false',
    'in Postgres',
  ),
  ...httpSettings,
  REDIS_URL: described(setting.redisUrl, 'redis://host:6379: pub/sub of pulses', 'needed'),
});
