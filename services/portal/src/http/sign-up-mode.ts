import type { PortalConfig } from '../base/config.ts';
import type { Site } from '../base/site.ts';

/** Who may sign up at this site. */
export function signUpMode(config: Pick<PortalConfig, 'SIGN_UP'>, site: Pick<Site, 'isLoopback'>) {
  return config.SIGN_UP ?? (site.isLoopback ? 'open' : 'invite');
}
