import type { RequestListener } from 'node:http';
import { createPmxt } from '@paper/pmxt';
import { appSettings, pathOf, startServers } from '@paper/http';
import { ConfigError, runService } from '@paper/runtime';
import type { ServiceProcess } from '@paper/runtime';
import type { z } from 'zod';
import { mcpSecrets, mcpServiceSettings } from './config.ts';
import { createMcp } from './mcp.ts';

/** Serves the Model Context Protocol and pmxt's wire over HTTP. Any number of these processes may run. */
async function start(config: z.output<typeof mcpServiceSettings>, running: ServiceProcess): Promise<void> {
  const { API_URL: apiUrl } = config;
  const secrets = mcpSecrets(config);
  if (secrets === null) throw new ConfigError('MCP_SECRET or MCP_SECRET_FILE must be set.');
  const common = appSettings(config, running);
  const mcp = createMcp({ ...common, secrets, hosts: config.MCP_HOSTS });
  await mcp.load();
  await running.teardown.add('mcp', () => mcp.stop());
  mcp.start({ apiUrl, publicUrl: config.PUBLIC_URL ?? null });
  const pmxt = createPmxt(common);
  pmxt.start(apiUrl);
  const listener: RequestListener = (request, response) =>
    (pmxt.handles(pathOf(request)) ? pmxt.listener : mcp.listener)(request, response);
  running.listening(await startServers(listener, config, running, []));
}

await runService({ name: 'mcp', schema: mcpServiceSettings, start });
