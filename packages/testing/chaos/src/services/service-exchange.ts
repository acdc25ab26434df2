import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { openJournal } from '@paper/journal';
import { createLogger, freePort, withClient } from '@paper/runtime';
import { ServiceSet, untilServing } from '@paper/supervisor';
import type { ServiceCounts, ServiceName } from '@paper/supervisor';
import { builtFolder } from '@paper/testkit/exchange';
import { judgeFailover } from '@paper/testkit/failover';
import { createCuttableProxy, testRedis } from '@paper/testkit/servers';
import type { CuttableProxy } from '@paper/testkit/servers';
import { SupervisedPostgres } from './supervised-postgres.ts';

/** The number of processes of each service that `npm run start:services` starts by default. */
export const USUAL_COUNTS: ServiceCounts = {
  'command-api': 3,
  'query-api': 2,
  'stream-gateway': 2,
  portal: 2,
  mcp: 2,
  projector: 2,
  backtests: 1,
};

const SHARD = 'main';

export interface ServiceExchangeOptions {
  readonly folder: string;
  /** The folder of Postgres; default: a folder inside `folder`. */
  readonly postgresDir?: string;
  readonly envOf?: (name: ServiceName) => Readonly<Record<string, string>>;
}

/** The services as `start:services` runs them, which reach Postgres and Redis through proxies that can be cut. */
export class ServiceExchange {
  private constructor(
    readonly set: ServiceSet,
    readonly baseUrl: string,
    readonly operatorToken: string,
    readonly proxy: CuttableProxy,
    readonly redis: CuttableProxy,
    private readonly postgres: SupervisedPostgres,
  ) {}

  /** Resolves when the services serve as one exchange. */
  static async start({ folder, postgresDir, envOf }: ServiceExchangeOptions): Promise<ServiceExchange> {
    const postgres = await SupervisedPostgres.start(postgresDir ?? path.join(folder, 'data'));
    const [proxy, redis, built, port] = await Promise.all([
      createCuttableProxy(postgres.connectionString),
      testRedis().then(createCuttableProxy),
      builtFolder(),
      freePort(),
    ]);
    const token = (name: string): string => `${name}-of-the-services-of-chaos`.padEnd(32, '.');
    const env = {
      DATABASE_URL: proxy.url,
      JOURNAL_URL: '',
      REDIS_URL: redis.url,
      SHARD,
      OPERATOR_TOKENS: `operator:${token('operator')},portal:${token('portal')}:accounts-own`,
      RATE_LIMITS: 'off',
      QUERY_APIS: String(USUAL_COUNTS['query-api']),
      TRUSTED_PROXIES: 'loopback',
      API_URL: `http://127.0.0.1:${port}`,
      PUBLIC_URL: `http://localhost:${port}`,
      PORTAL_TOKEN: token('portal'),
      PORTAL_SECRET: token('secret-of-people'),
      MCP_SECRET: token('secret-of-agents'),
      BACKTESTS_DATABASE_URL: proxy.url,
      DATA_DIR: folder,
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'fatal',
    };
    const logger = createLogger({ name: 'chaos', level: env.LOG_LEVEL }, process.stderr);
    const set = new ServiceSet((name) => ({ ...env, ...envOf?.(name) }), logger, built);
    await set.start(USUAL_COUNTS);
    const door = path.join(folder, 'front-door');
    mkdirSync(door);
    const baseUrl = await set.open({ folder: door, host: '127.0.0.1', port, tls: null });
    await untilServing(baseUrl, token('operator'));
    return new ServiceExchange(set, baseUrl, token('operator'), proxy, redis, postgres);
  }

  /** The addresses of /metrics of a service's processes, as host:port; a restarted process keeps its own. */
  metricsOf(name: ServiceName): readonly string[] {
    const processes = this.set.processes().filter((one) => one.name === name);
    return processes.map(({ operationUrl }) => new URL(operationUrl).host);
  }

  /** The address of the front door's /metrics, as host:port. */
  get frontDoorMetrics(): string {
    return new URL(this.set.frontDoorMetricsUrl ?? '').host;
  }

  /** The number of databases that backtests have, read without the proxy. */
  backtestDatabases(): Promise<number> {
    return withClient({ connectionString: this.postgres.connectionString }, async (client) => {
      return (await client.query(`select from pg_database where datname like 'backtest%'`)).rowCount ?? 0;
    });
  }

  /** Compares the whole journal, read without the proxy, with all answers of a load. Returns what is wrong. */
  async orderProblems(load: Parameters<typeof judgeFailover>[1]): Promise<readonly string[]> {
    const journal = await openJournal({ databaseUrl: this.postgres.connectionString, shard: SHARD });
    try {
      const verdict = await judgeFailover(journal, load);
      return (['lost', 'duplicated', 'invented'] as const).flatMap((what) => {
        const { length } = verdict[what];
        return length === 0 ? [] : [`${length} orders ${what}, such as ${verdict[what][0]}`];
      });
    } finally {
      await journal.close();
    }
  }

  async stop(): Promise<void> {
    for (const proxy of [this.proxy, this.redis]) proxy.mend();
    await this.set.stop();
    await Promise.all([this.proxy.close(), this.redis.close()]);
    await this.postgres.stop();
  }
}
