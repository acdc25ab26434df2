import { withoutRefused } from '@paper/contracts/operator';

/** Fields in which the service accepts line feeds and tabs. */
const WITH_LINES = new Set(['description']);

/** Fields in which every character matters, so that none can be replaced. */
const EXACT = new Set(['citationUrl']);

/**
 * Replaces the characters in a command's texts that the service refuses. Notes the fields that changed in `adjustments`.
 */
export function replaceRefused<T extends object>(command: T, adjustments: string[]): T {
  const replaced = (name: string, value: unknown): unknown => {
    if (typeof value !== 'string' || EXACT.has(name)) return value;
    const clean = withoutRefused(value, WITH_LINES.has(name));
    if (clean !== value) adjustments.push(`${name} with characters that are refused`);
    return clean;
  };
  return Object.fromEntries(Object.entries(command).map(([name, value]) => [name, replaced(name, value)])) as T;
}
