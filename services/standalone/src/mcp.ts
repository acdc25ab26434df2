import type { RequestListener } from 'node:http';
import { createMcp, mcpSecrets, storedMcpSecret } from '@paper/mcp';
import { createRateLimiter, pathOf } from '@paper/service-kit';
import type { StandaloneConfig } from './config.ts';
import type { Foundation } from './read-side.ts';

/** The agents' door beside the API of the same process. */
export interface MountedMcp {
  /** Gives it its own path, and the app all others. */
  readonly beside: (app: RequestListener) => RequestListener;
  /** Begins to serve. */
  readonly start: (apiUrl: string, publicUrl: string) => void;
}

/** Opens the agents' door, which is a client of the API at this process's own address. */
export async function mountMcp({ running }: Foundation, config: StandaloneConfig): Promise<MountedMcp> {
  const { logger, metrics, teardown } = running;
  const mcp = createMcp({
    secrets: mcpSecrets(config) ?? [storedMcpSecret(config.DATA_DIR)],
    hosts: config.MCP_HOSTS,
    logger,
    metrics,
    rateLimiter: config.RATE_LIMITS === null ? null : createRateLimiter(config.RATE_LIMITS),
    trustedProxies: config.TRUSTED_PROXIES,
  });
  await teardown.add('mcp', () => mcp.stop());
  return {
    beside: (app) => (request, response) => (mcp.handles(pathOf(request)) ? mcp.listener : app)(request, response),
    start: (apiUrl, publicUrl) => mcp.start({ apiUrl, publicUrl }),
  };
}
