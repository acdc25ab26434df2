import type { RequestListener } from 'node:http';
import type { OperatorToken, ReadinessCheck } from '@paper/http';
import type { StandaloneConfig } from './config.ts';
import { besideDoors } from './door.ts';
import { mountMcp } from './mcp.ts';
import { mountPmxt } from './pmxt.ts';
import { mountPortal } from './portal.ts';
import type { Foundation } from './read-side.ts';

/** The doors of people, of agents and of pmxt's packages, beside the API of the same process. */
export interface Doors {
  /** Gives each door its own paths, and the app all others. */
  readonly beside: (app: RequestListener) => RequestListener;
  /** The operator that the portal is for the API. */
  readonly operator: OperatorToken;
  /** Why people's door cannot serve. */
  readonly readiness: ReadinessCheck;
  /** By which the API knows the calls that people's door sends. */
  readonly relaySecret: string;
  /** Begins to serve, and gives the address for people. */
  readonly start: (apiUrl: string) => string;
}

/** Opens the portal, the agents' door and pmxt's wire, which are clients of the API at this process's own address. */
export async function mountDoors(foundation: Foundation, config: StandaloneConfig): Promise<Doors> {
  const portal = await mountPortal(foundation, config);
  const mcp = await mountMcp(foundation, config);
  const pmxt = mountPmxt(foundation, config);
  return {
    beside: (app) => besideDoors([pmxt, mcp, portal], app),
    operator: portal.operator,
    readiness: portal.readiness,
    relaySecret: portal.relaySecret,
    start(apiUrl) {
      const publicUrl = portal.start(apiUrl);
      mcp.start(apiUrl, publicUrl);
      pmxt.start(apiUrl);
      return publicUrl;
    },
  };
}
