import type { ServerResponse } from 'node:http';
import { LIMITS } from './limits.ts';
import type { Metrics } from '@paper/runtime';
import { startServer } from './server.ts';
import type { RunningServer } from './server.ts';
import { within } from './answer.ts';

/** A condition for traffic: `check` rejects with the reason while it does not hold. */
export interface ReadinessCheck {
  readonly name: string;
  readonly check: () => Promise<void>;
}

const CHECK_MS = 1_000;

/**
 * The port for those who run the service, apart from its users: /metrics for Prometheus, /health/live (this process
 * answers), /health/ready (200, or 503 with what is missing) and /health/serving: the same with 404 instead of 503, for
 * load balancers that take a 404 for "alive, and to be sent nothing new". `checks` may be added to while it runs.
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
      const results = await Promise.all(settings.checks.map(async (one) => [one.name, await verdict(one)] as const));
      const ready = results.every(([, result]) => result === 'ok');
      json(response, ready ? 200 : url === '/health/ready' ? 503 : 404, { ready, checks: Object.fromEntries(results) });
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

async function verdict(one: ReadinessCheck): Promise<string> {
  try {
    await within(CHECK_MS, () => one.check());
    return 'ok';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
