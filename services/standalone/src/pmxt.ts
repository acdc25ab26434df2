import { createPmxt } from '@paper/pmxt';
import { createRateLimiter } from '@paper/http';
import type { StandaloneConfig } from './config.ts';
import type { MountedService } from './mounted-service.ts';
import type { SharedParts } from './read-side.ts';

/** pmxt's wire on the same port as the API of this process. */
export interface MountedPmxt extends MountedService {
  /** Begins to serve. */
  readonly start: (apiUrl: string) => void;
}

/** Opens pmxt's wire, which is a client of the API at this process's own address. */
export function mountPmxt({ running }: SharedParts, config: StandaloneConfig): MountedPmxt {
  const { logger, metrics } = running;
  const pmxt = createPmxt({
    logger,
    metrics,
    rateLimiter: config.RATE_LIMITS === null ? null : createRateLimiter(config.RATE_LIMITS),
    trustedProxies: config.TRUSTED_PROXIES,
    accessLog: config.ACCESS_LOG,
  });
  return {
    handles: pmxt.handles,
    listener: pmxt.listener,
    start: pmxt.start,
  };
}
