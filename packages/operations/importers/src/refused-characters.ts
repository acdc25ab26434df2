import { withoutRefused } from '@paper/contracts/operator';

const WITH_LINES = new Set(['description']);

/** Fields of which no character can be replaced. */
const EXACT = new Set(['citationUrl']);

/** Replaces refused characters in a command's texts, and notes the changed fields in `adjustments`. */
export function replaceRefused<T extends object>(command: T, adjustments: string[]): T {
  const replaced = (name: string, value: unknown): unknown => {
    if (typeof value !== 'string' || EXACT.has(name)) return value;
    const clean = withoutRefused(value, WITH_LINES.has(name));
    if (clean !== value) adjustments.push(`${name} with characters that are refused`);
    return clean;
  };
  return Object.fromEntries(Object.entries(command).map(([name, value]) => [name, replaced(name, value)])) as T;
}
