import type { PortalConfig } from '../config.ts';
import type { Site } from './site.ts';

/** Who may sign up at this site. */
export function signUpMode(config: Pick<PortalConfig, 'SIGN_UP'>, site: Pick<Site, 'isLoopback'>) {
  return config.SIGN_UP ?? (site.isLoopback ? 'open' : 'invite');
}
