import { readFileSync } from 'node:fs';

const SOURCES = '../../../../package.json';
const BUILT = '../package.json';

/**
 * The version of the service. It is declared in the repository's package.json only; a build copies it into the
 * package.json of each package, since an image has no other.
 */
export const VERSION = declaredVersion(BUILT) ?? declaredVersion(SOURCES) ?? '';

function declaredVersion(manifest: string): string | undefined {
  const text = readFileSync(new URL(manifest, import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version?: string }).version;
}
