import type { RequestListener } from 'node:http';
import type { OperatorToken, ReadinessCheck } from '@paper/http';
import type { StandaloneConfig } from './config.ts';
import { routeToMounted } from './mounted-service.ts';
import { mountMcp } from './mcp.ts';
import { mountPmxt } from './pmxt.ts';
import { mountPortal } from './portal.ts';
import type { SharedParts } from './read-side.ts';

/** The portal, the MCP server and pmxt's wire, on the same port as the API of this process. */
export interface MountedServices {
  /** Routes each mounted service's paths to it, and all others to the app. */
  readonly beside: (app: RequestListener) => RequestListener;
  /** The operator token with which the portal calls the API. */
  readonly operator: OperatorToken;
  /** Whether the portal can serve, and if not, why. */
  readonly readiness: ReadinessCheck;
  /** Authenticates the portal's calls to the API. */
  readonly relaySecret: string;
  /** Begins to serve. `publicUrl`: the address for people. */
  readonly start: (apiUrl: string, publicUrl: string) => void;
}

/** Opens the portal, the MCP server and pmxt's wire, which are clients of the API at this process's own address. */
export async function mountServices(sharedParts: SharedParts, config: StandaloneConfig): Promise<MountedServices> {
  const portal = await mountPortal(sharedParts, config);
  const mcp = await mountMcp(sharedParts, config);
  const pmxt = mountPmxt(sharedParts, config);
  return {
    beside: (app) => routeToMounted([pmxt, mcp, portal], app),
    operator: portal.operator,
    readiness: portal.readiness,
    relaySecret: portal.relaySecret,
    start(apiUrl, publicUrl) {
      portal.start(apiUrl, publicUrl);
      mcp.start(apiUrl, publicUrl);
      pmxt.start(apiUrl);
    },
  };
}
