import type { RequestListener } from 'node:http';
import { appSettings } from '@paper/http';
import { createMcp, mcpSecrets, storedMcpSecrets } from '@paper/mcp';
import { createPmxt } from '@paper/pmxt';
import type { StandaloneConfig } from './config.ts';
import { routeToMounted } from './mounted-service.ts';
import { mountPortal } from './portal.ts';
import type { SharedParts } from './read-side.ts';

export type MountedServices = Awaited<ReturnType<typeof mountServices>>;

/** Opens the portal, the MCP server and pmxt's wire on this process's port. All are clients of its API. */
export async function mountServices(sharedParts: SharedParts, config: StandaloneConfig) {
  const { running } = sharedParts;
  const { operator, readiness, relaySecret, ...portal } = await mountPortal(sharedParts, config);
  const mcp = createMcp({
    secrets: mcpSecrets(config) ?? storedMcpSecrets(config.DATA_DIR),
    hosts: config.MCP_HOSTS,
    ...appSettings(config, running),
  });
  await running.teardown.add('mcp', () => mcp.stop());
  const pmxt = createPmxt(appSettings(config, running));
  return {
    beside: (app: RequestListener) => routeToMounted([pmxt, mcp, portal], app),
    operator,
    readiness,
    relaySecret,
    start(apiUrl: string, publicUrl: string): void {
      portal.start(apiUrl, publicUrl);
      mcp.start({ apiUrl, publicUrl });
      pmxt.start(apiUrl);
    },
  };
}
