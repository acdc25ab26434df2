import { join } from 'node:path';
import { storedSecret } from '@paper/runtime';

/**
 * The secret with which the portal encrypts the keys that it stores, created at the first start in `portal-secret`,
 * mode 600. If the file is lost, the stored keys cannot be read, and the portal issues new ones.
 */
export function storedPortalSecret(dataDir: string): string {
  return storedSecret(join(dataDir, 'portal-secret'));
}
