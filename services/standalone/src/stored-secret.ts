import { join } from 'node:path';
import { storedSecret } from '@paper/runtime';

/** The secret of the portal, created at the first start. If it is lost, the portal issues new keys. */
export function storedPortalSecret(dataDir: string): string {
  return storedSecret(join(dataDir, 'portal-secret'));
}
