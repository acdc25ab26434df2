import type { ServerResponse } from 'node:http';
import { LIMITS } from './limits.ts';
import type { Metrics } from '@paper/runtime';
import { startServer } from './server.ts';
import type { RunningServer } from './server.ts';
import { isReady, verdictsOf } from './readiness.ts';
import type { ReadinessCheck } from './readiness.ts';

/**
 * Starts the port for operators: /metrics for Prometheus, /health/live (this process answers), /health/ready (200, or
 * 503 with what is missing), and /health/serving, which is the same with 404 in place of 503, for load balancers that
 * read a 404 as "alive, but send nothing new". `checks` may grow while the server runs.
 */
export async function startMetricsServer(settings: {
  readonly metrics: Metrics;
  readonly checks: readonly ReadinessCheck[];
  readonly host: string;
  readonly port: number;
}): Promise<RunningServer> {
  const answer = async (url: string, response: ServerResponse): Promise<void> => {
    if (url === '/metrics') {
      const { text, contentType } = await settings.metrics.expose();
      response.writeHead(200, { 'content-type': contentType }).end(text);
    } else if (url === '/health/live') {
      json(response, 200, { live: true });
    } else if (url === '/health/ready' || url === '/health/serving') {
      const forTraffic = settings.checks.filter((one) => one.forTraffic !== false);
      const checks = await verdictsOf(url === '/health/ready' ? settings.checks : forTraffic);
      const ready = isReady(checks);
      json(response, ready ? 200 : url === '/health/ready' ? 503 : 404, { ready, checks });
    } else {
      json(response, 404, { error: 'No such route', code: 'not_found' });
    }
  };
  return startServer(
    (request, response) => {
      const [path = '/'] = (request.url ?? '/').split('?');
      answer(path, response).catch((error: unknown) => {
        json(response, 500, { error: error instanceof Error ? error.message : 'Internal error', code: 'internal' });
      });
    },
    // Few clients use this port: monitoring and load balancers.
    { host: settings.host, port: settings.port, connectionsMax: LIMITS.operationConnections },
  );
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
