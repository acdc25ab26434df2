import type { RequestListener } from 'node:http';
import { createPmxt } from '@paper/pmxt';
import { appSettings, pathOf, startMetricsServer, startServer } from '@paper/http';
import { ConfigError, runService } from '@paper/runtime';
import type { ServiceProcess } from '@paper/runtime';
import type { z } from 'zod';
import { mcpSecrets, mcpServiceSettings } from './config.ts';
import { createMcp } from './mcp.ts';

/** Serves the Model Context Protocol and pmxt's wire over HTTP. Any number of these processes may run. */
async function start(config: z.output<typeof mcpServiceSettings>, running: ServiceProcess): Promise<void> {
  const { metrics, teardown } = running;
  const { API_URL: apiUrl, HOST: host } = config;
  const secrets = mcpSecrets(config);
  if (secrets === null) throw new ConfigError('MCP_SECRET or MCP_SECRET_FILE must be set.');
  const common = appSettings(config, running);
  const mcp = createMcp({ ...common, secrets, hosts: config.MCP_HOSTS });
  await mcp.load();
  await teardown.add('mcp', () => mcp.stop());
  mcp.start({ apiUrl, publicUrl: config.PUBLIC_URL ?? null });
  const pmxt = createPmxt(common);
  pmxt.start(apiUrl);
  const listener: RequestListener = (request, response) =>
    (pmxt.handles(pathOf(request)) ? pmxt.listener : mcp.listener)(request, response);
  const server = await startServer(listener, {
    host,
    port: config.PORT,
    connectionsMax: config.CONNECTIONS_MAX,
    metrics,
    checks: [],
  });
  await teardown.add('http', () => server.close(1_500));
  const metricsServer = await startMetricsServer({ metrics, checks: [], host, port: config.METRICS_PORT });
  await teardown.add('metrics', () => metricsServer.close(100));
  running.listening({ url: server.url, metricsUrl: `${metricsServer.url}/metrics` });
}

await runService({ name: 'mcp', schema: mcpServiceSettings, start });
