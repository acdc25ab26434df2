import type { RequestListener } from 'node:http';
import { createPmxt } from '@paper/pmxt';
import { createRateLimiter, pathOf } from '@paper/service-kit';
import type { StandaloneConfig } from './config.ts';
import type { Foundation } from './read-side.ts';

/** pmxt's wire beside the API of the same process. */
export interface MountedPmxt {
  /** Gives it its own paths, and the app all others. */
  readonly beside: (app: RequestListener) => RequestListener;
  /** Begins to serve. */
  readonly start: (apiUrl: string) => void;
}

/** Opens pmxt's wire, which is a client of the API at this process's own address. */
export function mountPmxt({ running }: Foundation, config: StandaloneConfig): MountedPmxt {
  const { logger, metrics } = running;
  const pmxt = createPmxt({
    logger,
    metrics,
    rateLimiter: config.RATE_LIMITS === null ? null : createRateLimiter(config.RATE_LIMITS),
    trustedProxies: config.TRUSTED_PROXIES,
  });
  return {
    beside: (app) => (request, response) => (pmxt.handles(pathOf(request)) ? pmxt.listener : app)(request, response),
    start: pmxt.start,
  };
}
