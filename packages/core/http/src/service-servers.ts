import type { RequestListener } from 'node:http';
import type { ServiceProcess } from '@paper/runtime';
import { startMetricsServer } from './metrics-server.ts';
import type { ReadinessCheck } from './readiness.ts';
import { startServer } from './server.ts';

type ServersConfig = Readonly<Record<'PORT' | 'METRICS_PORT' | 'CONNECTIONS_MAX', number> & { HOST: string }>;

/** Starts a service's port for users, and then its port for operators. Returns the addresses to report. */
export async function startServers(
  listener: RequestListener,
  { HOST: host, PORT: port, METRICS_PORT: metricsPort, CONNECTIONS_MAX: connectionsMax }: ServersConfig,
  { metrics, teardown }: Pick<ServiceProcess, 'metrics' | 'teardown'>,
  checks: readonly ReadinessCheck[],
) {
  const server = await startServer(listener, { host, port, connectionsMax, metrics, checks });
  await teardown.add('http', () => server.close(1_500));
  const metricsServer = await startMetricsServer({ metrics, checks, host, port: metricsPort });
  await teardown.add('metrics', () => metricsServer.close(100));
  return { url: server.url, metricsUrl: `${metricsServer.url}/metrics` };
}
