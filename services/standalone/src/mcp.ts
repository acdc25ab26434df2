import { createMcp, mcpSecrets, storedMcpSecrets } from '@paper/mcp';
import { appSettings } from '@paper/http';
import type { StandaloneConfig } from './config.ts';
import type { MountedService } from './mounted-service.ts';
import type { SharedParts } from './read-side.ts';

/** The MCP server on the same port as the API of this process. */
export interface MountedMcp extends MountedService {
  /** Begins to serve. */
  readonly start: (apiUrl: string, publicUrl: string) => void;
}

/** Opens the MCP server, which is a client of the API at this process's own address. */
export async function mountMcp({ running }: SharedParts, config: StandaloneConfig): Promise<MountedMcp> {
  const { teardown } = running;
  const mcp = createMcp({
    secrets: mcpSecrets(config) ?? storedMcpSecrets(config.DATA_DIR),
    hosts: config.MCP_HOSTS,
    ...appSettings(config, running),
  });
  await teardown.add('mcp', () => mcp.stop());
  return {
    handles: mcp.handles,
    listener: mcp.listener,
    start: (apiUrl, publicUrl) => mcp.start({ apiUrl, publicUrl }),
  };
}
