import { canonicalJson } from './canonical-json.ts';
import type { Stored } from './formats.ts';

/** Splits what is stored into what everyone may read and what not, and puts both together again. */

/** The canonical text of these fields alone. */
export function textOfOnly(whole: Stored, fields: readonly string[]): string {
  const picked: Record<string, unknown> = {};
  for (const field of fields) picked[field] = whole[field];
  return canonicalJson(picked);
}

/**
 * Puts private fields back among the public ones, in `visible` itself and in no order.
 *
 * @param fields what is private of this type in this version
 * @throws Error where the private part has other fields than those, or the public part has one of them: whatever
 * overrides a public field is a forgery.
 */
export function unite(visible: Stored, hidden: Stored, fields: readonly string[]): Stored {
  let count = 0;
  for (const name in hidden) {
    if (!fields.includes(name)) throw new Error(`its private part has ${name}, which is not private of it`);
    count += 1;
  }
  if (count !== fields.length) throw new Error(`its private part has not all of ${fields.join(', ')}`);
  for (const field of fields) {
    if (Object.hasOwn(visible, field)) throw new Error(`its public part has ${field}, which is private`);
  }
  return Object.assign(visible, hidden);
}

/** The same fields in the order of the alphabet, as events are built: so their JSON is the canonical text. */
export function inOrder(fields: Stored): Stored {
  const ordered: Record<string, unknown> = {};
  for (const name of Object.keys(fields).sort()) ordered[name] = fields[name];
  return ordered;
}
