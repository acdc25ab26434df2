// Node 20 has String.prototype.isWellFormed; the ES2023 library does not declare it yet.
/// <reference lib="es2024.string" />
import type { Stored } from './formats.ts';

const NOTHING: ReadonlySet<string> = new Set();

/**
 * The RFC 8785 (JCS) text of a value, without the outermost object's keys of `except`. Undefined values are left out.
 * @throws TypeError for what JSON cannot hold without loss: NaN, infinities, lone surrogates, functions, BigInts.
 */
export function canonicalJson(value: unknown, except = NOTHING): string {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new TypeError('a lone surrogate has no canonical JSON text');
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} has no JSON text`);
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`;
      return canonicalObject(value as Readonly<Record<string, unknown>>, except);
    default:
      throw new TypeError(`a ${typeof value} has no JSON text`);
  }
}

function canonicalObject(object: Readonly<Record<string, unknown>>, except: ReadonlySet<string>): string {
  let text = '';
  for (const key of sortedKeys(object)) {
    const value = object[key];
    if (value === undefined || except.has(key)) continue;
    text += `${text === '' ? '' : ','}${keyText(key)}${canonicalJson(value)}`;
  }
  return `{${text}}`;
}

/** The keys by UTF-16 code units, as RFC 8785 asks and the default sort does. Events are built in this order. */
function sortedKeys(object: object): readonly string[] {
  const keys = Object.keys(object);
  for (let index = 1; index < keys.length; index += 1) {
    if ((keys[index - 1] as string) > (keys[index] as string)) return sorted(keys);
  }
  return keys;
}

/** Caches sorted lists of keys. Few need sorting: those of commands, whose time is added as the last field. */
const sortedLists: { readonly given: readonly string[]; readonly inOrder: readonly string[] }[] = [];
const SORTED_LISTS_MAX = 32;

function sorted(keys: readonly string[]): readonly string[] {
  const known = sortedLists.find(
    ({ given }) => given.length === keys.length && given.every((key, index) => key === keys[index]),
  );
  if (known !== undefined) return known.inOrder;
  const inOrder = [...keys].sort();
  if (sortedLists.length < SORTED_LISTS_MAX) sortedLists.push({ given: keys, inOrder });
  return inOrder;
}

/** The JSON texts of field names. Names that clients choose are rare, so the map stays small. */
const keyTexts = new Map<string, string>();
const KEY_TEXTS_MAX = 1_000;

function keyText(key: string): string {
  const known = keyTexts.get(key);
  if (known !== undefined) return known;
  const text = `${canonicalJson(key)}:`;
  if (keyTexts.size < KEY_TEXTS_MAX) keyTexts.set(key, text);
  return text;
}

/** The canonical text of an object with only these fields. */
export function textOfOnly(whole: Stored, fields: readonly string[]): string {
  const picked: Record<string, unknown> = {};
  for (const field of fields) picked[field] = whole[field];
  return canonicalJson(picked);
}

/**
 * Merges private fields into `visible`, in no particular order.
 * @throws Error when they are not exactly `fields`, or the public part has one of them: a private part that overrides a
 * public field is a forgery.
 */
export function mergeFields(visible: Stored, hidden: Stored, fields: readonly string[]): Stored {
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
