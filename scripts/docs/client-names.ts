import { OPTION_NAMES, pythonNames, snakeCase, typeScriptNames } from '../clients/client-names.ts';
import { table } from './made-part.ts';
import type { GeneratedSection } from './made-part.ts';

/** The table of docs/trade/clients.md: the names in both clients, side by side. */
export function nameParts(): readonly GeneratedSection[] {
  const python = new Set(pythonNames());
  const methods = typeScriptNames().flatMap((name) => {
    const same = snakeCase(name);
    if (!python.has(same)) return [];
    const every = same.replace(/^fetch_/, 'iter_');
    return [[name, every !== same && python.has(every) ? `${same}\`, \`${every}` : same] as const];
  });
  const rows = [...methods, ...OPTION_NAMES].map((names) => names.map((name) => `\`${name}\``));
  return [{ file: 'docs/trade/clients.md', name: 'names', text: table(['TypeScript', 'Python'], rows) }];
}
