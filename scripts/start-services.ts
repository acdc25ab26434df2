import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { backtestsAtOnce } from '@paper/backtests';
import { storedMcpSecret } from '@paper/mcp';
import { allowsOperators } from '@paper/portal';
import { formatOperatorTokens } from '@paper/http';
import type { OperatorToken } from '@paper/http';
import {
  FolderInUse,
  freePort,
  lockFolder,
  fileSettingOf,
  isSecretSetting,
  readArguments,
  runService,
} from '@paper/runtime';
import type { ServiceProcess } from '@paper/runtime';
import { databaseSettingOf } from '@paper/runtime/coordination';
import type { ByRole } from '@paper/runtime/coordination';
import { forgetService, operatorTokensOf, portalOperator, publishService, storedPortalSecret } from '@paper/standalone';
import {
  expiryWarning,
  untilServing,
  serviceSetSettings,
  openControl,
  AwaitedServers,
  requireHaproxy,
  ROLES_OF,
  ServiceSet,
} from '@paper/supervisor';
import type { ServiceName, ServiceSetConfig } from '@paper/supervisor';
import { banner } from './start-services/banner.ts';

/** `npm run start:services`: docker-compose.yml's services as processes behind one front door, without Docker. */
async function start(config: ServiceSetConfig, { logger, teardown }: ServiceProcess): Promise<void> {
  const { DATA_DIR: dataDir, HOST: host } = config;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await teardown.add('lock', lockFolder(dataDir, 'standalone.lock'));
  forgetService(dataDir);
  requireHaproxy();
  const { operatorToken } = operatorTokensOf(dataDir, config.OPERATOR_TOKENS);
  // The port is chosen before the front door listens, since the portal and the MCP server need its address.
  const port = config.PORT === 0 ? await freePort() : config.PORT;
  const tls = await tlsOf(config);
  const publicUrl = config.PUBLIC_URL ?? (tls === null ? `http://localhost:${port}` : `https://localhost:${tls.port}`);
  // With TLS, only this machine may connect without it.
  const plainHost = tls === null ? host : '127.0.0.1';
  const portal = portalOperator();
  // The portal and the MCP server are clients of the front door.
  const apiHost = isAnyAddress(plainHost) ? '127.0.0.1' : bracketed(plainHost);
  const address = { API_URL: new URL(`http://${apiHost}:${port}`).origin, PUBLIC_URL: publicUrl };
  // The environment is read again for each start of a service, since a rotation of secrets changes their files.
  const envOf = (name: ServiceName): Record<string, string> => {
    const { config: now } = readArguments(serviceSetSettings, process.env, process.argv.slice(2));
    const common = environmentOf(name, now);
    if (name === 'portal') return { ...common, ...address, ...portalEnvironment(now, portal.token) };
    if (name === 'mcp') return { ...common, ...address, MCP_SECRET: now.MCP_SECRET ?? storedMcpSecret(dataDir) };
    if (name === 'backtests') return { ...common, ...address, ...backtestsEnvironment(now) };
    const operators = [...operatorTokensOf(dataDir, now.OPERATOR_TOKENS).operatorTokens, portal];
    return { ...common, ...ofExchange(now, operators) };
  };
  const set = new ServiceSet(envOf, logger, process.env['PAPER_BUILT'] || undefined);
  const folder = mkdtempSync(path.join(tmpdir(), 'paper-services-'));
  await teardown.add('folder', () => rmSync(folder, { recursive: true, force: true }));
  await teardown.add('services', () => set.stop());
  const servers = new AwaitedServers(config);
  await teardown.add('control', await openControl({ dataDir, folder, set, waitingFor: () => servers.away() }));
  const log = (line: string): void => void process.stderr.write(`${line}\n`);
  await servers.wait({ log, isRunning: () => !teardown.begun() });
  if (teardown.begun()) return;
  await set.start({
    'command-api': config.COMMAND_APIS,
    'query-api': config.QUERY_APIS,
    'stream-gateway': config.STREAM_GATEWAYS,
    portal: config.PORTALS,
    mcp: config.MCPS,
    projector: config.PROJECTORS,
    // One process, since it tracks which processes of backtests run.
    backtests: 1,
  });
  const baseUrl = await set.open({ folder, host: plainHost, port, tls });
  await untilServing(baseUrl, operatorToken, () => !teardown.begun());
  if (teardown.begun()) return;

  const metricsUrl = `${set.processes()[0]?.operationUrl ?? baseUrl}/metrics`;
  const service = { baseUrl, publicUrl, operatorToken, metricsUrl, pid: process.pid, demo: null };
  await teardown.add('service.json', publishService(dataDir, service));
  const journal = config.JOURNAL_URL === undefined ? 'Postgres' : 'EventStoreDB';
  process.stdout.write(banner(baseUrl, set.processes(), { dataDir, journal, publicUrl }));
}

async function tlsOf({ FRONT_DOOR_CERTIFICATE: certificate, HOST: host, TLS_PORT: port }: ServiceSetConfig) {
  if (certificate === undefined) return null;
  const expiry = expiryWarning(certificate, Date.now());
  if (expiry !== null) process.stderr.write(`${expiry}\n`);
  return { certificate, host, port: port === 0 ? await freePort() : port };
}

/** The setting with a role's connection string to EventStoreDB, if the role reads or writes the journal. */
const JOURNAL_OF = {
  command: 'COMMAND_JOURNAL_URL',
  projector: 'PROJECTOR_JOURNAL_URL',
  reader: 'READER_JOURNAL_URL',
  portal: null,
  backtests: null,
} as const satisfies ByRole<keyof ServiceSetConfig | null>;

const OWN_SECRETS = Object.keys(serviceSetSettings.shape).filter(isSecretSetting);

const absent = (setting: string): readonly [string, string] => [setting, ''];

/** Passes this command's options on to a service as settings. */
function environmentOf(name: ServiceName, config: ServiceSetConfig): Record<string, string> {
  const [role] = ROLES_OF[name];
  const journal = role === undefined ? null : JOURNAL_OF[role];
  return {
    // This process has read the files of secrets, and gives each service the secrets that it needs.
    ...Object.fromEntries(OWN_SECRETS.flatMap((secret) => [secret, fileSettingOf(secret)].map(absent))),
    // Only the front door listens for other machines.
    HOST: '127.0.0.1',
    TRUSTED_PROXIES: ['loopback', ...config.TRUSTED_PROXIES].join(','),
    // Empty counts as absent, which also hides a value in this command's own environment.
    DATABASE_URL: role === undefined ? '' : (config[databaseSettingOf(role)] ?? config.DATABASE_URL),
    JOURNAL_URL: journal === null ? '' : (config[journal] ?? config.JOURNAL_URL ?? ''),
    LOG_LEVEL: config.LOG_LEVEL,
  };
}

/** The settings of the services that make up the exchange. */
function ofExchange(config: ServiceSetConfig, operators: readonly OperatorToken[]): Record<string, string> {
  return {
    REDIS_URL: config.REDIS_URL,
    SHARD: config.SHARD,
    QUERY_APIS: String(config.QUERY_APIS),
    ACCEPT_CLOCK: config.ACCEPT_CLOCK,
    OPERATOR_TOKENS: formatOperatorTokens(operators),
  };
}

/** The portal encrypts stored secrets with a secret of the data folder. */
function portalEnvironment(config: ServiceSetConfig, token: string): Record<string, string> {
  return {
    PORTAL_TOKEN: token,
    // The portal itself listens only on this machine, so the front door decides who may reach it.
    PORTAL_OPERATORS: allowsOperators(config) ? 'on' : 'off',
    PORTAL_SECRET: config.PORTAL_SECRET ?? storedPortalSecret(config.DATA_DIR),
  };
}

/** Backtests listen only on this machine, so the front door decides whether others may reach them. */
function backtestsEnvironment(config: ServiceSetConfig): Record<string, string> {
  return {
    SHARD: config.SHARD,
    DATA_DIR: config.DATA_DIR,
    BACKTESTS_DATABASE_URL: config.BACKTESTS_DATABASE_URL ?? config.DATABASE_URL,
    BACKTESTS_MAX: String(backtestsAtOnce(config)),
  };
}

const isAnyAddress = (host: string): boolean => ['0.0.0.0', '::'].includes(host);

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

await runService({
  name: 'services',
  schema: serviceSetSettings,
  start,
  explain: (error) => (error instanceof FolderInUse ? error.message : null),
});
