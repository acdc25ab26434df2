import path from 'node:path';
import { storedSecret } from '@paper/runtime';

/**
 * The secret that signs prepared orders: created at the first start in `mcp-secret`, mode 600. With the file lost,
 * prepared orders that are not confirmed yet have to be prepared again.
 */
export function storedMcpSecret(dataDir: string): string {
  return storedSecret(path.join(dataDir, 'mcp-secret'));
}
