import { createPmxt } from '@paper/pmxt';
import { appSettings } from '@paper/http';
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
  const pmxt = createPmxt(appSettings(config, running));
  return {
    handles: pmxt.handles,
    listener: pmxt.listener,
    start: pmxt.start,
  };
}
