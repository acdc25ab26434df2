import { readFileSync } from 'node:fs';
import path from 'node:path';

const CLIENTS = path.resolve(import.meta.dirname, '../../packages/clients');

/** Names that only the TypeScript client has, since Python has another way for them. */
export const ONLY_TYPESCRIPT: ReadonlySet<string> = new Set(['answer', 'call']);
export const ONLY_PYTHON: ReadonlySet<string> = new Set(['close', 'fetch_ledger_csv', 'with_options']);

/** Options and values that are not methods: TypeScript's name, Python's name. */
export const OPTION_NAMES: readonly (readonly [string, string])[] = [
  ['baseUrl', 'base_url'],
  ['key', 'key'],
  ['decimals', 'decimals'],
  ['timeoutMs', 'timeout'],
  ['retryForMs', 'retry_for'],
  ['idempotencyKey', 'idempotency_key'],
  ['idempotencyPrefix', 'idempotency_prefix'],
  ['retryAfterMs', 'retry_after'],
];

export function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
}

/** The public methods and properties of the TypeScript clients, read from their sources. */
export function typeScriptNames(): readonly string[] {
  const files = ['calls.ts', 'public-client.ts', 'client.ts', 'operator-client.ts'];
  // Only members of a class are indented by two spaces; protected ones begin with that word.
  const classes = sourcesIn('client/src', files).match(/^export class [^]*?^}/gm) ?? [];
  return namesBy(/^ {2}(?:async )?(?:get )?([a-z]\w*)(?:<[^>]*>)?\(/gm, classes.join('\n'), new Set(['constructor']));
}

/** The public methods and properties of the Python clients, read from their sources. */
export function pythonNames(): readonly string[] {
  const files = ['_api.py', 'client.py', 'operator_client.py'];
  return namesBy(/^ {4}def ([a-z]\w*)\(/gm, sourcesIn('client-python/src/papertrading', files));
}

function sourcesIn(folder: string, files: readonly string[]): string {
  return files.map((file) => readFileSync(path.join(CLIENTS, folder, file), 'utf8')).join('\n');
}

function namesBy(pattern: RegExp, text: string, except: ReadonlySet<string> = new Set()): readonly string[] {
  const names = Array.from(text.matchAll(pattern), ([, name = '']) => name);
  return [...new Set(names)].filter((name) => !except.has(name)).sort();
}
