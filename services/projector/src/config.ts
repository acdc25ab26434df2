import { eventStoreUrlSetting } from '@paper/journal';
import { described, processSettings, setting, storeSettings } from '@paper/runtime';
import { z } from 'zod';

/** The projector's settings, by the names of their variables. */
export const projectorSettings = z.object({
  ...processSettings,
  ...storeSettings,
  JOURNAL_URL: described(
    eventStoreUrlSetting.optional(),
    'the journal in EventStoreDB: esdb://host:2113?tls=false',
    'in Postgres',
  ),
  REDIS_URL: described(setting.redisUrl, 'redis://host:6379: pub/sub of pulses', 'needed'),
});
