import { readFileSync } from 'node:fs';

/** The version of the package whose `src/main.ts` this is, by that file's `import.meta.url`. */
export function versionOf(mainUrl: string): string {
  const text = readFileSync(new URL('../package.json', mainUrl), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
