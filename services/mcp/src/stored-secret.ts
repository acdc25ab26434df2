import path from 'node:path';
import { configuredSecrets, storedSecret } from '@paper/runtime';

/** The secret that signs prepared orders, made at the first start, mode 600. If it is lost, prepare them again. */
export function storedMcpSecret(dataDir: string): string {
  return storedSecret(path.join(dataDir, 'mcp-secret'));
}

/** The secrets in that file: two during a rotation, the newer first. */
export function storedMcpSecrets(dataDir: string): readonly string[] {
  return configuredSecrets('mcp-secret', storedMcpSecret(dataDir)) ?? [];
}
