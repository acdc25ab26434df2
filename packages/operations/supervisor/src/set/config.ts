import { resolve } from 'node:path';
import { eventStoreUrlSetting } from '@paper/journal';
import { apiSetting } from '@paper/http';
import { setting, storeSettings } from '@paper/runtime';
import { z } from 'zod';

const howMany = setting.wholeNumber(1, 32).default(2);

/**
 * The settings of `npm run start:services`, by the names of their variables. The services read further ones
 * (STARTING_BALANCE, COMPLIANCE_MODE, RATE_LIMITS, SNAPSHOT_EVERY, SIGN_UP) from the environment themselves.
 */
export const serviceSetSettings = z.object({
  ...storeSettings,
  JOURNAL_URL: eventStoreUrlSetting.optional(),
  /** Connection strings of the roles that `npm run roles` creates; default: DATABASE_URL. */
  COMMAND_DATABASE_URL: setting.databaseUrl.optional(),
  PROJECTOR_DATABASE_URL: setting.databaseUrl.optional(),
  READER_DATABASE_URL: setting.databaseUrl.optional(),
  PORTAL_DATABASE_URL: setting.databaseUrl.optional(),
  REDIS_URL: setting.redisUrl,
  /** The address that the front door listens on. */
  HOST: z.string().default('127.0.0.1'),
  PORT: setting.port.default(4000),
  /**
   * The file of the front door's certificate, its chain and its key (PEM). With it the front door serves TLS at HOST and
   * TLS_PORT, and PORT is for this machine alone.
   */
  FRONT_DOOR_CERTIFICATE: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  TLS_PORT: setting.port.default(4443),
  /** Folder of the operator's token, and of service.json while the set runs. */
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((path) => resolve(path)),
  OPERATOR_TOKENS: apiSetting.operatorTokens.optional(),
  /** The address that people use; default: localhost with the front door's port. */
  PUBLIC_URL: z.string().optional(),
  /** Encrypts the keys that the portal stores; default: one in DATA_DIR, made at the first start. */
  PORTAL_SECRET: z.string().optional(),
  /** Whether operators may sign in to the portal; default: on where HOST is loopback. */
  PORTAL_OPERATORS: setting.onOff.optional(),
  /** Signs orders that agents prepare; default: one in DATA_DIR, made at the first start. */
  MCP_SECRET: z.string().optional(),
  /** Passed to the command APIs; see there. */
  ACCEPT_CLOCK: setting.acceptClock.default('off'),
  /** Proxies in front of the front door whose X-Forwarded-For is trusted. */
  TRUSTED_PROXIES: setting.list.default([]),
  /** Three: if the leader crashes while a standby is still starting, another standby takes over at once. */
  COMMAND_APIS: howMany.default(3),
  QUERY_APIS: howMany,
  STREAM_GATEWAYS: howMany,
  PROJECTORS: howMany,
  PORTALS: howMany,
  MCPS: howMany,
  LOG_LEVEL: setting.logLevel.default('warn'),
});

export type ServiceSetConfig = z.output<typeof serviceSetSettings>;
