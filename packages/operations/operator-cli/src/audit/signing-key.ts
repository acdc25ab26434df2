import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readPrivateFile, withSecretFiles } from '@paper/runtime';

/**
 * The Ed25519 key that signs heads (PKCS#8 in PEM): AUDIT_SIGNING_KEY (its text, or a file's name), else
 * `audit-signing-key.pem` in DATA_DIR, which is made on first use, readable only by its owner.
 */
export function signingKey(): { readonly pem: string; readonly made: string | null } {
  const given = withSecretFiles(process.env, ['AUDIT_SIGNING_KEY'])['AUDIT_SIGNING_KEY'];
  if (given !== undefined && given !== '') {
    return { pem: given.startsWith('-----BEGIN') ? given : readPrivateFile(given), made: null };
  }
  const dataDir = path.resolve(process.env['DATA_DIR'] ?? './data');
  const file = path.join(dataDir, 'audit-signing-key.pem');
  if (existsSync(file)) return { pem: readPrivateFile(file), made: null };
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  mkdirSync(dataDir, { recursive: true });
  // Never overwrites a key that another process has just made.
  writeFileSync(file, pem, { flag: 'wx', mode: 0o600 });
  return { pem, made: file };
}
