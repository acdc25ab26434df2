import { readFileSync } from 'node:fs';

const SOURCES = '../../../../package.json';
const BUILT = '../package.json';

/** The version of the service, from the repository's package.json; a build copies it into those of the packages. */
export const VERSION = declaredVersion(BUILT) ?? declaredVersion(SOURCES) ?? '';

function declaredVersion(manifest: string): string | undefined {
  const text = readFileSync(new URL(manifest, import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version?: string }).version;
}
