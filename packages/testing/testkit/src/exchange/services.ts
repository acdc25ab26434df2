import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { openJournal } from '@paper/journal';
import { freePort } from '@paper/runtime';
import { SERVICE_NAMES, startFrontDoor, untilServing } from '@paper/supervisor';
import type { Program, ServiceCounts, ServiceName } from '@paper/supervisor';
import { testEventStore } from '../servers/eventstoredb.ts';
import { testDatabase } from '../servers/postgres.ts';
import type { TestDatabase } from '../servers/postgres.ts';
import { temporaryDataDir } from './standalone.ts';
import type { RunningExchange } from './running-exchange.ts';
import { testRedis } from '../servers/redis.ts';
import { prepareRoles } from './roles.ts';
import { startServiceProcess } from './service-process.ts';
import type { ServiceProcess } from './service-process.ts';

export interface ServicesOptions {
  readonly journal: 'postgres' | 'eventstoredb';
  /** An empty database of the caller. Default: a new database on the tests' server, which does not flush. */
  readonly databaseUrl?: string;
  /** Settings that override the defaults of tests: free ports, no rate limits. */
  readonly env?: Readonly<Record<string, string>>;
  /** Replaces the servers' addresses for the services, for example by a proxy that a test can cut. */
  readonly via?: (at: Servers) => Promise<Partial<Servers>>;
  /** The program of each service. Default: its source. */
  readonly program?: (name: ServiceName) => Program;
  /** Whether each service connects with its own role. Default: all services connect as the database's owner. */
  readonly asRoles?: boolean;
  /** The number of processes of each service. Default: 1; 0 for the portal, mcp and backtests. */
  readonly count?: Partial<ServiceCounts> | undefined;
}

/** The servers of a set, by the names of their settings; without JOURNAL_URL the journal is in Postgres. */
export interface Servers {
  readonly DATABASE_URL: string;
  readonly REDIS_URL: string;
  readonly JOURNAL_URL: string;
}

export interface RunningServices extends RunningExchange {
  readonly services: readonly ServiceProcess[];
  readonly env: Readonly<Record<string, string>>;
  /** The environment of a service's process, with its own role if each has one. */
  readonly envOf: (name: ServiceName) => Readonly<Record<string, string>>;
  of(name: ServiceName): readonly ServiceProcess[];
}

/** The services that need the front door's address. They are started only if a test asks for them. */
const ASKED_FOR: readonly ServiceName[] = ['portal', 'mcp', 'backtests'];

let sets = 0;

/** Starts the services behind the front door, with a database and a shard of their own, and waits until they serve. */
export async function startServices(options: ServicesOptions): Promise<RunningServices> {
  sets += 1;
  const shard = `test-${process.pid}-${sets}`;
  const operatorToken = `operator-of-${shard}-of-a-test`;
  const portalToken = `portal-of-${shard}-of-a-test`;
  // The port is chosen before the front door listens, since these services need its address.
  const port = ASKED_FOR.some((name) => (options.count?.[name] ?? 0) > 0) ? await freePort() : 0;
  const folder = temporaryDataDir();
  const [database, redisUrl] = await Promise.all([databaseOf(options), testRedis()]);
  const eventStoreUrl = options.journal === 'eventstoredb' ? await testEventStore() : undefined;
  const servers: Servers = {
    DATABASE_URL: database.connectionString,
    // An empty value counts as absent, and overrides a value in the environment of the tests.
    JOURNAL_URL: eventStoreUrl ?? '',
    REDIS_URL: redisUrl,
  };
  const env = {
    ...servers,
    ...(await options.via?.(servers)),
    OPERATOR_TOKENS: `operator:${operatorToken},portal:${portalToken}:accounts-own`,
    RATE_LIMITS: 'off',
    QUERY_APIS: String(options.count?.['query-api'] ?? 1),
    SHARD: shard,
    TRUSTED_PROXIES: 'loopback',
    API_URL: `http://127.0.0.1:${port}`,
    PUBLIC_URL: `http://localhost:${port}`,
    PORTAL_TOKEN: portalToken,
    MCP_SECRET: `secret-of-agents-of-${shard}`.padEnd(32, '.'),
    PORTAL_SECRET: `secret-of-${shard}-of-a-test`.padEnd(32, '.'),
    BACKTESTS_DATABASE_URL: database.connectionString,
    DATA_DIR: folder.dataDir,
    ...options.env,
  };
  const rolesEnv = options.asRoles === true ? await prepareRoles(env) : () => ({});
  const envOf = (name: ServiceName): Readonly<Record<string, string>> => ({ ...env, ...rolesEnv(name) });
  const services = await Promise.all(
    SERVICE_NAMES.flatMap((name) =>
      Array.from({ length: options.count?.[name] ?? (ASKED_FOR.includes(name) ? 0 : 1) }, () =>
        startServiceProcess(name, envOf(name), options.program?.(name)),
      ),
    ),
  );
  const door = await startFrontDoor(services, { folder: folder.dataDir, port });
  const of = (name: ServiceName): readonly ServiceProcess[] => services.filter((service) => service.name === name);
  const output = (): string => services.map((service) => service.output()).join('');
  await untilServing(door.url, operatorToken);
  // The operators' commands find the service by this file.
  writeFileSync(path.join(folder.dataDir, 'service.json'), JSON.stringify({ baseUrl: door.url, operatorToken }));
  return {
    baseUrl: door.url,
    operatorToken,
    dataDir: folder.dataDir,
    services,
    env,
    envOf,
    of,
    output,
    openJournal: () => openJournal({ databaseUrl: database.connectionString, eventStoreUrl, shard }),
    async stop(signal) {
      const codes = await Promise.all(services.map((service) => service.stop(signal)));
      await door.stop();
      await database.close();
      folder.remove();
      return codes.find((code) => code !== 0) ?? 0;
    },
  };
}

async function databaseOf({ databaseUrl }: ServicesOptions): Promise<TestDatabase> {
  if (databaseUrl === undefined) return testDatabase();
  return { connectionString: databaseUrl, close: () => Promise.resolve() };
}
