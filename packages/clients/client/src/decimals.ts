import { SHAPES } from './generated/operations.ts';
import type { Shape } from './operation.ts';

/** Converts decimal numbers to exact text. The service writes at most six decimals, so no digit is lost. */
export function withTexts(value: unknown, shape: Shape): unknown {
  return mapped(value, shape, (one) => (typeof one === 'number' ? decimalText(one) : one));
}

/** Converts decimal numbers that were given as text to numbers. Other text stays: the service refuses it. */
export function withNumbers(value: unknown, shape: Shape): unknown {
  return mapped(value, shape, (one) => (typeof one === 'string' && /^-?\d+(\.\d+)?$/.test(one) ? Number(one) : one));
}

/** A number as decimal text, without an exponent. */
export function decimalText(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text;
}

/** Copies only what changes: most bodies are sent as they were given. */
function mapped(value: unknown, shape: Shape, map: (value: unknown) => unknown): unknown {
  if (shape === 1) return map(value);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => mapped(item, shape, map));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = typeof shape === 'string' ? SHAPES[shape] : shape;
  if (typeof fields !== 'object') return value;
  let changed: Record<string, unknown> | null = null;
  for (const [name, inner] of Object.entries(fields)) {
    if (!Object.hasOwn(value, name)) continue;
    const before = (value as Readonly<Record<string, unknown>>)[name];
    const after = mapped(before, inner, map);
    if (after === before) continue;
    changed ??= { ...value };
    changed[name] = after;
  }
  return changed ?? value;
}
