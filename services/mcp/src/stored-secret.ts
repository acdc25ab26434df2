import path from 'node:path';
import { configuredSecrets, storedSecret } from '@paper/runtime';

/**
 * The secret that signs prepared orders, created at the first start in `mcp-secret`, mode 600. If the file is lost,
 * orders that are prepared but not confirmed have to be prepared again.
 */
export function storedMcpSecret(dataDir: string): string {
  return storedSecret(path.join(dataDir, 'mcp-secret'));
}

/** The secrets in that file: two during a rotation, the newer first. */
export function storedMcpSecrets(dataDir: string): readonly string[] {
  return configuredSecrets('mcp-secret', storedMcpSecret(dataDir)) ?? [];
}
