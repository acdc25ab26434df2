import type { IncomingMessage, RequestListener } from 'node:http';
import { Unavailable } from '@paper/contracts';
import type { ReadinessCheck } from '@paper/http';
import { createRetryLog, withClient } from '@paper/runtime';
import { backgroundJobs } from './background-jobs.ts';
import type { PortalConfig } from './base/config.ts';
import { connectPortal } from './base/database.ts';
import { preparePortal } from './base/schema.ts';
import { createSite } from './base/site.ts';
import type { Site } from './base/site.ts';
import { createPortalApp, PORTAL_PREFIX } from './http/app.ts';
import type { PortalAppSettings } from './http/app.ts';
import { createPortalParts } from './http/portal-parts.ts';
import { routeGroups } from './route-groups.ts';

export interface PortalOptions extends Omit<PortalAppSettings, 'groups' | 'sessions' | 'site'> {
  /** The connection string of the owner of the schema `portal`. */
  readonly connectionString: string;
  readonly config: PortalConfig;
  /** An operator token with the scope accounts-own. */
  readonly operatorToken: string;
  /** Encrypt the stored keys: the first encrypts, all decrypt. At least one. */
  readonly secrets: readonly string[];
  /** Shared with the API of the same process; null: the API trusts this portal's address (TRUSTED_PROXIES). */
  readonly relaySecret: string | null;
}

export interface PortalAddresses {
  /** Where the portal reaches the API. */
  readonly apiUrl: string;
  /** The address that people use, unless PUBLIC_URL is set. */
  readonly publicUrl: string;
}

export interface Portal {
  /** Whether the portal serves this path: one of the portal's own calls, or what `PortalPages` handles. */
  readonly handles: (path: string, request: IncomingMessage) => boolean;
  readonly listener: RequestListener;
  /** Begins to serve, and continues the jobs that a crash interrupted, in the background. Before it, calls are 503. */
  readonly start: (addresses: PortalAddresses) => void;
  readonly stop: () => Promise<void>;
  /** Rejects before the start, while the portal's tables cannot be read, and where its pages cannot be made. */
  readonly readiness: ReadinessCheck;
}

/** Creates the portal, and its schema where there is none. @throws when the database cannot be reached. */
export async function createPortal(options: PortalOptions): Promise<Portal> {
  const { config, connectionString, logger, pages } = options;
  await withClient({ connectionString }, preparePortal);
  const retries = createRetryLog(logger);
  const db = connectPortal(connectionString, (error) => retries.failed('portal: a connection was lost', error));
  let site: Site | null = null;
  let apiUrl: string | null = null;
  const parts = createPortalParts({
    ...options,
    db,
    site: () => site ?? notStarted(),
    apiUrl: () => apiUrl ?? notStarted(),
  });
  const jobs = backgroundJobs(parts);
  return {
    handles: (path, request) => path.startsWith(PORTAL_PREFIX) || (pages?.handles(path, request) ?? false),
    listener: createPortalApp({ ...options, site: () => site, sessions: parts.sessions, groups: routeGroups(parts) }),
    start({ apiUrl: api, publicUrl }) {
      apiUrl = api;
      site = createSite(config.PUBLIC_URL ?? publicUrl, config);
      if (site.isInsecure) {
        logger.warn(`PORTAL_INSECURE: passwords and sessions cross the network unencrypted at ${site.origin}`);
      }
      for (const job of jobs) job.start();
    },
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
      parts.apiRequests.close();
      parts.mailer?.close();
      await db.destroy();
    },
    readiness: {
      name: 'portal',
      check: async () => {
        if (site === null) throw new Error('the portal has not started: the exchange is not ready yet');
        const problem = pages?.problem?.() ?? null;
        if (problem !== null) throw new Error(problem);
        // The tables of people are there, and this role may read them.
        await db.selectFrom('people').select('id').limit(1).execute();
      },
    },
  };
}

function notStarted(): never {
  throw new Unavailable('The service is starting');
}
