import { appSettings, startMetricsServer, startServer } from '@paper/http';
import { ConfigError, keepTryingTo, runService } from '@paper/runtime';
import type { ServiceProcess } from '@paper/runtime';
import type { z } from 'zod';
import { assertWhole, portalSecrets, portalServiceSettings } from './base/config.ts';
import { createFirstReads } from './pages/first-reads.ts';
import { createPages } from './pages/pages.ts';
import { createPortal } from './portal.ts';

/** Serves the pages, signs people in, and forwards their calls to the API. Any number of these processes may run. */
async function start(config: z.output<typeof portalServiceSettings>, running: ServiceProcess): Promise<void> {
  const { metrics, teardown } = running;
  const { HOST: host } = config;
  assertWhole(config);
  const secrets = portalSecrets(config);
  if (secrets === null) throw new ConfigError('PORTAL_SECRET or PORTAL_SECRET_FILE must be set.');
  const pages = await createPages(createFirstReads({ apiUrl: () => config.API_URL }));
  const open = () =>
    createPortal({
      connectionString: config.DATABASE_URL,
      config,
      operatorToken: config.PORTAL_TOKEN,
      secrets,
      ...appSettings(config, running),
      relaySecret: null,
      pages,
    });
  const portal = await keepTryingTo('open the portal', open, running);
  await teardown.add('portal', () => portal.stop());
  const checks = [portal.readiness];
  const server = await startServer(portal.listener, {
    host,
    port: config.PORT,
    connectionsMax: config.CONNECTIONS_MAX,
    metrics,
    checks,
  });
  await teardown.add('http', () => server.close(1_500));
  portal.start({ apiUrl: config.API_URL, publicUrl: `http://localhost:${server.port}` });
  const metricsServer = await startMetricsServer({ metrics, checks, host, port: config.METRICS_PORT });
  await teardown.add('metrics', () => metricsServer.close(100));
  running.listening({ url: server.url, metricsUrl: `${metricsServer.url}/metrics` });
}

await runService({ name: 'portal', schema: portalServiceSettings, start });
