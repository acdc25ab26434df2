import { journalSettings } from '@paper/journal';
import { apiSetting } from '@paper/http';
import { described, setting, storeSettings } from '@paper/runtime';
import { databaseSettings } from '@paper/runtime/coordination';
import type { ByRole } from '@paper/runtime/coordination';
import { z } from 'zod';

const howMany = (service: string, byDefault = 2) =>
  described(setting.wholeNumber(1, 32).default(byDefault), `processes of ${service}`);

const ROLE_FOR: ByRole<string> = {
  command: 'for command-api',
  projector: 'for projector',
  reader: 'for query-api, stream-gateway and the keys of backtests',
  portal: 'for portal',
  backtests: 'that makes a database for each backtest',
};

const journalUrl = (service: string) =>
  described(journalSettings.JOURNAL_URL, `as the user of EventStoreDB for ${service} (npm run roles)`, 'JOURNAL_URL');

/** The settings of `npm run start:services`; the services read others from the environment themselves. */
export const serviceSetSettings = z.object({
  ...storeSettings,
  ...journalSettings,
  ...databaseSettings((role) =>
    described(setting.databaseUrl.optional(), `as the role ${ROLE_FOR[role]} (npm run roles)`, 'DATABASE_URL'),
  ),
  COMMAND_JOURNAL_URL: journalUrl('command-api'),
  PROJECTOR_JOURNAL_URL: journalUrl('projector'),
  READER_JOURNAL_URL: journalUrl('query-api, stream-gateway and backtests'),
  REDIS_URL: described(setting.redisUrl, 'redis://host:6379: pub/sub of pulses', 'needed'),
  HOST: described(z.string().default('127.0.0.1'), 'the address that the front door listens at'),
  PORT: described(setting.port.default(4000), "the front door's port; 0 picks a free port"),
  FRONT_DOOR_CERTIFICATE: described(
    setting.path.optional(),
    'PEM file of certificate, chain and key: TLS at HOST and TLS_PORT, and PORT is for this machine alone',
  ),
  TLS_PORT: described(setting.port.default(4443), "the front door's port with TLS"),
  DATA_DIR: described(setting.path.prefault('./data'), "the operator's token, the secrets, service.json"),
  OPERATOR_TOKENS: described(apiSetting.operatorTokens.optional(), 'name:token[:scope+scope],…', 'made once'),
  PUBLIC_URL: described(z.string().optional(), 'the address that people use', 'localhost'),
  PORTAL_SECRET: described(z.string().optional(), 'encrypts the keys that the portal stores', 'made once'),
  PORTAL_OPERATORS: described(
    setting.onOff.optional(),
    'operators may sign in to the portal: on or off; default: on where HOST and PUBLIC_URL are loopback',
    'by address',
  ),
  BACKTESTS_MAX: described(
    setting.wholeNumber(0, 100).optional(),
    'backtests at once, each a process; default: 2 where HOST is loopback, else 0',
    'by address',
  ),
  MCP_SECRET: described(z.string().optional(), 'signs orders that agents prepare', 'made once'),
  ACCEPT_CLOCK: described(setting.acceptClock.default('off'), 'passed to the command APIs'),
  TRUSTED_PROXIES: described(
    setting.list.default([]),
    'proxies in front of the front door, whose X-Forwarded-For is trusted',
  ),
  // With three, another standby takes over at once if the leader crashes while a standby is still starting.
  COMMAND_APIS: howMany('command-api', 3),
  QUERY_APIS: howMany('query-api'),
  STREAM_GATEWAYS: howMany('stream-gateway'),
  PROJECTORS: howMany('projector'),
  PORTALS: howMany('portal'),
  MCPS: howMany('mcp'),
  LOG_LEVEL: described(setting.logLevel.default('warn'), 'trace, debug, info, warn, error, fatal or silent'),
});

export type ServiceSetConfig = z.output<typeof serviceSetSettings>;
