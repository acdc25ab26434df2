import { resolve } from 'node:path';
import { eventStoreUrlSetting } from '@paper/journal';
import { setting, storeSettings } from '@paper/service-kit';
import { z } from 'zod';

const howMany = setting.wholeNumber(1, 32).default(2);

/**
 * The settings of `npm run start:services`, by the names of their variables. What else the services know
 * (STARTING_BALANCE, COMPLIANCE_MODE, RATE_LIMITS, SNAPSHOT_EVERY) they take from the environment themselves.
 */
export const serviceSetSettings = z.object({
  ...storeSettings,
  JOURNAL_URL: eventStoreUrlSetting.optional(),
  /** Connection strings of the roles that `npm run roles` makes, where they differ from DATABASE_URL. */
  COMMAND_DATABASE_URL: setting.databaseUrl.optional(),
  PROJECTOR_DATABASE_URL: setting.databaseUrl.optional(),
  READER_DATABASE_URL: setting.databaseUrl.optional(),
  REDIS_URL: setting.redisUrl,
  /** Where the front door listens. */
  HOST: z.string().default('127.0.0.1'),
  PORT: setting.port.default(4000),
  /** The operator's token, and service.json while the set runs. */
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((path) => resolve(path)),
  OPERATOR_TOKENS: setting.operatorTokens.optional(),
  /** For the command APIs: see there. */
  ACCEPT_CLOCK: setting.acceptClock.default('off'),
  /** Before the front door, others whose X-Forwarded-For is believed. */
  TRUSTED_PROXIES: setting.list.default([]),
  /** Three: a second crash while a standby is still starting leaves one that takes over at once. */
  COMMAND_APIS: howMany.default(3),
  QUERY_APIS: howMany,
  STREAM_GATEWAYS: howMany,
  PROJECTORS: howMany,
  LOG_LEVEL: setting.logLevel.default('warn'),
});

export type ServiceSetConfig = z.output<typeof serviceSetSettings>;
