import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FolderInUse, lockFolder } from '@paper/embedded-postgres';
import * as kit from '@paper/service-kit';
import { forgetService, operatorTokensOf, publishService } from '@paper/standalone';
import {
  untilServing,
  serviceSetSettings,
  openControl,
  AwaitedServers,
  requireHaproxy,
  ServiceSet,
} from '@paper/supervisor';
import type { ServiceName, ServiceSetConfig } from '@paper/supervisor';
import { banner } from './start-services/banner.ts';

/**
 * `npm run start:services`: the services as processes behind one front door, on a running Postgres, Redis and, where
 * JOURNAL_URL names it, EventStoreDB. The same set that docker-compose.yml starts, without Docker.
 */
async function start(config: ServiceSetConfig, { logger, teardown }: kit.ServiceProcess): Promise<void> {
  const { DATA_DIR: dataDir, HOST: host, PORT: port } = config;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await teardown.add('lock', lockFolder(dataDir, 'standalone.lock'));
  forgetService(dataDir);
  requireHaproxy();
  const { operatorToken, operatorTokens } = operatorTokensOf(dataDir, config.OPERATOR_TOKENS);

  const set = new ServiceSet(
    (name) => environmentOf(name, config, operatorTokens),
    logger,
    process.env['PAPER_SERVICES'],
  );
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
    projector: config.PROJECTORS,
  });
  const baseUrl = await set.open({ folder, host, port });
  await untilServing(baseUrl, operatorToken, () => !teardown.begun());
  if (teardown.begun()) return;

  const metricsUrl = `${set.processes()[0]?.operationUrl ?? baseUrl}/metrics`;
  const service = { baseUrl, operatorToken, metricsUrl, pid: process.pid, demo: null };
  await teardown.add('service.json', publishService(dataDir, service));
  const journal = config.JOURNAL_URL === undefined ? 'Postgres' : 'EventStoreDB';
  process.stdout.write(banner(baseUrl, set.processes(), { dataDir, journal }));
}

const DATABASE_OF = {
  'command-api': 'COMMAND_DATABASE_URL',
  projector: 'PROJECTOR_DATABASE_URL',
  'query-api': 'READER_DATABASE_URL',
  'stream-gateway': 'READER_DATABASE_URL',
} as const satisfies Record<ServiceName, keyof ServiceSetConfig>;

/** Passes this command's options on to the services as settings. */
function environmentOf(
  name: ServiceName,
  config: ServiceSetConfig,
  operatorTokens: readonly kit.OperatorToken[],
): Record<string, string> {
  return {
    // Only the front door listens for other machines.
    HOST: '127.0.0.1',
    TRUSTED_PROXIES: ['loopback', ...config.TRUSTED_PROXIES].join(','),
    DATABASE_URL: config[DATABASE_OF[name]] ?? config.DATABASE_URL,
    JOURNAL_URL: config.JOURNAL_URL ?? '',
    REDIS_URL: config.REDIS_URL,
    SHARD: config.SHARD,
    QUERY_APIS: String(config.QUERY_APIS),
    LOG_LEVEL: config.LOG_LEVEL,
    ACCEPT_CLOCK: config.ACCEPT_CLOCK,
    OPERATOR_TOKENS: kit.formatOperatorTokens(operatorTokens),
  };
}

await kit.runService({
  name: 'services',
  schema: serviceSetSettings,
  start,
  explain: (error) => (error instanceof FolderInUse ? error.message : null),
});
